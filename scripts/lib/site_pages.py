"""The documents of the repository as pages of the site, for scripts/docs.

usage: site_pages.py stage OUT     copies the documents, with their links
       site_pages.py check SITE    says which links of the site lead nowhere
"""

import html.parser
import os
import posixpath
import re
import shutil
import sys
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
# Documents outside docs/ -> pages.
OTHERS = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md",
          "CHANGELOG.md": "changelog.md", "SECURITY.md": "security-policy.md",
          "client/python/README.md": "python.md"}
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")


def pages():
    """{path in the repository: path in the site}."""
    docs = os.path.join(ROOT, "docs")
    found = [os.path.relpath(os.path.join(folder, name), docs)
             for folder, _, names in os.walk(docs) for name in names]
    return {**{f"docs/{name}": name for name in found}, **OTHERS}


def moved(document, target, where):
    """A link of a document as its page has it; None where only the repository
    has what it leads to."""
    if re.match(r"[a-z]+:|#", target):
        return target
    path, mark, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(document), path))
    if path in where:
        return where[path] + mark + anchor
    if not os.path.exists(os.path.join(ROOT, path)):
        raise SystemExit(f"site: {document} links to {target}, which is not "
                         "there")
    return None


def rewrite(document, text, where):
    def link(match):
        target = moved(document, match[2], where)
        # A name of the repository without a link.
        return match[1][1:-1] if target is None else f"{match[1]}({target})"

    return LINK.sub(link, text)


def stage(out):
    where = pages()
    os.makedirs(out)
    for document, page in where.items():
        source, copy = os.path.join(ROOT, document), os.path.join(out, page)
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        if not document.endswith(".md"):
            shutil.copyfile(source, copy)
            continue
        with open(source, encoding="utf-8") as file:
            text = rewrite(document, file.read(), where)
        with open(copy, "w", encoding="utf-8") as file:
            file.write(text)


class Page(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], {"", "top"}
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


def check(site):
    found = {}
    for folder, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                found[path] = Page(path)
    problems = []
    for path, page in found.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path
            if parts.path:
                base = site if parts.path.startswith("/") else \
                    os.path.dirname(path)
                target = os.path.normpath(os.path.join(
                    base, urllib.parse.unquote(parts.path).lstrip("/")))
            if os.path.isdir(target):
                target = os.path.join(target, "index.html")
            anchor = urllib.parse.unquote(parts.fragment)
            if not os.path.exists(target) or (
                    target in found and anchor not in found[target].anchors):
                problems.append(f"{os.path.relpath(path, site)}: {link}")
    for problem in sorted(set(problems)):
        print(f"site: a link leads nowhere: {problem}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    {"stage": stage, "check": check}[sys.argv[1]](*sys.argv[2:])
