"""The parts that the SVG charts of the pages are made of."""


def start(title: str, width: float, height: float) -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} '
        f'{height}" font-family="sans-serif" font-size="12">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>']


def text(at_x: float, at_y: float, anchor: str, words: str,
         color: str = "#333") -> str:
    return (f'<text x="{at_x:.1f}" y="{at_y:.1f}" text-anchor="{anchor}" '
            f'fill="{color}">{words}</text>')
