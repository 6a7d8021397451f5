"""Checks a page of nuce report: check_page.py FILE [TEXT...]. Each TEXT must stand in it, as text."""
import html.parser
import re
import sys
import urllib.parse
import xml.etree.ElementTree

VOID = {"meta", "link", "col", "br", "hr", "img", "input"}
LINKS = {"src", "href", "xlink:href", "action", "data", "srcset", "poster", "formaction"}


PICTURE = "data:image/svg+xml,"


def picture_problems(attributes):
    """What is wrong with an image: it must be a picture of gnuplot's, with a name."""
    if not attributes.get("src", "").startswith(PICTURE):
        return ["an image that is no picture"]
    if not attributes.get("alt"):
        return ["a picture without a name"]
    try:
        root = xml.etree.ElementTree.fromstring(urllib.parse.unquote(attributes["src"][len(PICTURE):]))
    except xml.etree.ElementTree.ParseError as error:
        return [f"a picture that is not well-formed: {error}"]
    return [f"a picture with <{one.tag}>" for one in root.iter() if one.tag.endswith("script")]


class Page(html.parser.HTMLParser):
    """What a browser's parser sees, as far as the standard library has one."""

    def __init__(self):
        super().__init__()
        self.open, self.problems, self.ids, self.targets = [], [], [], []
        self.scripts, self.text, self.counts = 0, [], {}

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag in ("iframe", "object", "embed", "form", "base", "svg"):
            self.problems.append(f"an element <{tag}>")
        if tag == "img":
            self.problems += picture_problems(dict(attributes))
        for name, value in attributes:
            if name.startswith("on"):
                self.problems.append(f"<{tag}> has {name}")
            if name == "id":
                self.ids.append(value)
            if name in LINKS and value.startswith("#"):
                self.targets.append(value[1:])
            elif name in LINKS and value != "data:," and not (tag == "img" and value.startswith(PICTURE)):
                self.problems.append(f"<{tag}> leads elsewhere: {value}")
            if tag == "img" and name == "src":
                continue  # picture_problems
            self.targets += re.findall(r"url\(#([^)]*)\)", value)
            if re.search(r"url\([^#]", value):
                self.problems.append(f"<{tag}> {name} leads elsewhere: {value}")
            if name == "aria-labelledby":
                self.targets.append(value)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"line {self.getpos()[0]}: </{tag}> ends {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        inside = self.open[-1] if self.open else ""
        if inside == "style" and re.search(r"@import|url\(", data):
            self.problems.append("the style leads elsewhere")
        self.text.append(data)


def check(path, texts):
    """The problems of the page."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    page = Page()
    page.feed(source)
    page.close()
    problems = page.problems + [f"<{tag}> does not end" for tag in page.open]
    problems += [f"the id {one} occurs twice" for one in set(page.ids) if page.ids.count(one) > 1]
    problems += [f"nothing has the id {one}" for one in set(page.targets) - set(page.ids)]
    if page.counts.get("script", 0) != 1:
        problems.append(f"{page.counts.get('script', 0)} scripts, expected one")
    if page.counts.get("table", 0) != page.counts.get("caption", 0):
        problems.append("a table without a caption")
    try:
        xml.etree.ElementTree.fromstring(source)
    except xml.etree.ElementTree.ParseError as error:
        problems.append(f"not well-formed: {error}")
    everything = " ".join("".join(page.text).split())
    problems += [f"it does not say: {text}" for text in texts if text not in everything]
    return problems


if __name__ == "__main__":
    found = check(sys.argv[1], sys.argv[2:])
    for problem in found[:20]:
        print(f"{sys.argv[1]}: {problem}", file=sys.stderr)
    sys.exit(1 if found else 0)
