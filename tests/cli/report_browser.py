"""Opens pages in Chromium as a phone and as a desktop would: report_browser.py DRIVER FOLDER FILE...

Speaks WebDriver to chromedriver. FOLDER is a new one for the browser's own files."""
import json
import pathlib
import re
import subprocess
import sys
import urllib.request

SIZES = ((390, 844), (1400, 800))
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]

# The faults of the open page, a list of sentences.
PROBLEMS = """
const found = [];
const wide = document.documentElement.scrollWidth;
if (wide > WIDTH) {
    found.push("it is " + wide + " wide");
}
for (const image of document.images) {
    if (!image.complete || image.naturalWidth === 0) {
        found.push("a broken image: " + image.src);
    }
}
for (const picture of document.images) {
    const box = picture.getBoundingClientRect();
    if (box.width < 100 || box.height < 50) {
        found.push("a picture of " + box.width + " x " + box.height);
    }
}
for (const link of document.querySelectorAll("a[href^='#']")) {
    if (!document.getElementById(link.getAttribute("href").slice(1))) {
        found.push("a link to nothing: " + link.getAttribute("href"));
    }
}
const verdict = document.querySelector("#verdict li");
if (verdict && verdict.getBoundingClientRect().bottom + scrollY > innerHeight) {
    found.push("the verdict ends at " + (verdict.getBoundingClientRect().bottom + scrollY) + " of " + innerHeight);
}
if (performance.getEntriesByType("resource").length !== 0) {
    found.push("it loads " + performance.getEntriesByType("resource")[0].name);
}
return found;
"""

# Sorts every table by each of its columns, up and down, and names rows that are out of order.
SORTS = """
const found = [];
let sorted = 0;
function cells(table, column) {
    return Array.from(table.tBodies[0].rows).map(row => row.cells[column].textContent.trim());
}
for (const table of document.querySelectorAll("table")) {
    const before = table.tBodies[0].rows.length;
    for (const header of table.querySelectorAll("th")) {
        const button = header.querySelector("button");
        if (!button) {
            found.push("a column cannot be sorted");
            continue;
        }
        for (const wanted of ["ascending", "descending"]) {
            button.click();
            if (header.getAttribute("aria-sort") !== wanted) {
                found.push("aria-sort is " + header.getAttribute("aria-sort") + ", not " + wanted);
            }
            if (!header.classList.contains("n")) {
                continue;
            }
            const numbers = cells(table, header.cellIndex).filter(text => text !== "").map(parseFloat);
            for (let i = 1; i < numbers.length; i++) {
                const rises = numbers[i] - numbers[i - 1];
                if (wanted === "ascending" ? rises < 0 : rises > 0) {
                    found.push(numbers[i - 1] + ", " + numbers[i] + " is not " + wanted);
                }
                sorted += rises !== 0;
            }
        }
    }
    if (table.tBodies[0].rows.length !== before) {
        found.push("sorting changes the number of rows");
    }
}
if (sorted === 0) {
    found.push("no table has anything to sort");
}
return found;
"""

# A number leads to its query, which opens.
LINKS = """
const link = document.querySelector("td a");
const target = document.getElementById(link.getAttribute("href").slice(1));
const before = target.open;
link.click();
const done = arguments[arguments.length - 1];
setTimeout(() => done(!before && target.open ? [] : ["a number does not open its query"]), 300);
"""


class Driver:
    """One session of chromedriver."""

    def __init__(self, program, folder, width, height):
        self.process = subprocess.Popen([program, "--port=0"], stdout=subprocess.PIPE, text=True)
        self.base = None
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.base = f"http://127.0.0.1:{found[1]}/session"
                break
        options = {"args": FLAGS + [f"--user-data-dir={folder}/{width}"],
                   "mobileEmulation": {"deviceMetrics": {"width": width, "height": height,
                                                         "pixelRatio": 1}}}
        answer = self.call("", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
            "unhandledPromptBehavior": "ignore"}}})
        self.base += "/" + answer["sessionId"]

    def call(self, path, body=None, method="POST"):
        """One command; its value."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"},
                                         method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script, kind="sync"):
        """What a script in the page gives."""
        return self.call(f"/execute/{kind}", {"script": script, "args": []})

    def close(self):
        """Ends the browser, then the driver."""
        try:
            if self.base is not None:
                self.call("", method="DELETE")
        finally:
            self.process.terminate()
            self.process.wait(30)


def check(driver, path, width):
    """The problems of one page at one width."""
    driver.call("/url", {"url": pathlib.Path(path).resolve().as_uri()})
    found = driver.run(PROBLEMS.replace("WIDTH", str(width)))
    # Folded parts must not be wider either.
    driver.run("for (const one of document.querySelectorAll('details')) { one.open = true; }")
    found += [f"all open: {one}" for one in driver.run(PROBLEMS.replace("WIDTH", str(width)))]
    driver.run("for (const one of document.querySelectorAll('details')) { one.open = false; }")
    found += driver.run(LINKS, "async")
    found += driver.run(SORTS)
    found += [f"the console says: {entry['message']}"
              for entry in driver.call("/se/log", {"type": "browser"})]
    return found


def main():
    """0: the pages are sound."""
    program, folder, *paths = sys.argv[1:]
    problems = 0
    for width, height in SIZES:
        driver = Driver(program, folder, width, height)
        try:
            for path in paths:
                for problem in check(driver, path, width)[:10]:
                    print(f"{path} at {width}: {problem}", file=sys.stderr)
                    problems += 1
        finally:
            driver.close()
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
