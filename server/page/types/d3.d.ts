// The types of those parts of D3 that the page uses. Debian has D3, but not its
// types.

declare module "d3-scale" {
  interface LinearScale {
    (value: number): number;
    domain(bounds: [number, number]): this;
    range(bounds: [number, number]): this;
    nice(): this;
    ticks(count: number): number[];
    tickFormat(count: number): (value: number) => string;
  }
  export function scaleLinear(): LinearScale;
}

declare module "d3-shape" {
  interface Line<Point> {
    (points: Point[]): string | null;
    x(of: (point: Point) => number): this;
    y(of: (point: Point) => number): this;
    defined(of: (point: Point) => boolean): this;
  }
  export function line<Point>(): Line<Point>;

  interface Ends {
    source: [number, number];
    target: [number, number];
  }
  // A curve that leaves and arrives level.
  export function linkHorizontal(): (ends: Ends) => string | null;
}
