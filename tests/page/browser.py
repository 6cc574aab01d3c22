"""A real Chromium that looks at the page of a real server."""

import contextlib
import glob
import json
import os
import sys
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tools  # noqa: E402, F401  (before what it finds)
import private_python  # noqa: E402
import processes  # noqa: E402

private_python.require_programs("chromium", "chromedriver")
try:
    from selenium import webdriver
    from selenium.common.exceptions import (NoSuchElementException,
                                            StaleElementReferenceException)
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    private_python.skip("no python3-selenium (scripts/test installs it)")

WIDTHS = (390, 820, 1600)
# A phone, a tablet, a desk; by day and by night.
SIGHTS = [(width, scheme) for width in WIDTHS for scheme in ("light", "dark")]
BUSY = """return document.querySelector("h1") === null ||
    document.querySelector("[aria-busy], .waiting") !== null"""
# What stands out of the screen, but for what scrolls within its place.
OVERFLOW = """return [...document.querySelectorAll("body *")].filter((one) =>
    one.closest(".scroll, .wide, .hidden, .skip") === null &&
    one.getBoundingClientRect().right > innerWidth + 1).map(
    (one) => one.outerHTML.slice(0, 120))"""


CHANGED_FETCH = """(() => {
    const real = window.fetch;
    const changed = (path, question, answer) => {%s};
    window.fetch = async (path, options) => {
        const question = options.body ? JSON.parse(options.body) : {};
        changed(path, question, {});
        const body = options.body ? JSON.stringify(question) : null;
        const came = await real(path, {...options, body});
        if (!came.ok || !path.startsWith("/v1/")) return came;
        const answer = await came.json();
        changed(path, question, answer);
        return new Response(JSON.stringify(answer));
    };
})()"""


def address(view, **fields):
    """Of a place; the value of a field may be a list."""
    query = urllib.parse.urlencode(fields, doseq=True,
                                   quote_via=urllib.parse.quote)
    return f"/{view}?{query}" if query else f"/{view}"


class Browser:
    """Chromium; closed at the end of a `with` block."""

    def __enter__(self):
        options = webdriver.ChromeOptions()
        # Containers lack what the sandbox needs; the page is our own.
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--no-proxy-server"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(
            service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(processes.HANG_SECONDS)
        self.see(1600, "light")
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def see(self, width, scheme, height=900):
        """As somebody with such a screen and such a taste."""
        self.command("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1,
            "mobile": False})
        self.command("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme}]})

    def command(self, name, parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    @contextlib.contextmanager
    def answers_changed(self, change):
        """While a `with` block lasts, the page reads the answers of the JSON API
        as `change` leaves them: JavaScript that may change `answer`, what came
        from `path`, and `question`, what is sent there."""
        made = self.command("Page.addScriptToEvaluateOnNewDocument", {
            "source": CHANGED_FETCH % change})
        try:
            yield
        finally:
            self.command("Page.removeScriptToEvaluateOnNewDocument", made)

    def wait(self, until):
        """Until `until` returns what is true, and returns that. Elements may
        come late, and give way to others."""
        return WebDriverWait(
            self.driver, processes.HANG_SECONDS, 0.05,
            (NoSuchElementException, StaleElementReferenceException)).until(
            lambda _: until())

    def settle(self):
        self.wait(lambda: not self.run(BUSY))

    def open(self, url):
        self.driver.get(url)
        self.settle()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self):
        return self.driver.find_element(By.ID, "view").text

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def link(self, text):
        return self.driver.find_element(By.PARTIAL_LINK_TEXT, text)

    def complaints(self):
        """What the browser wrote into its console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def overflowing(self):
        """Elements that stand out of the screen."""
        return self.run(OVERFLOW)

    def barriers(self):
        """What axe finds against WCAG 2.1 A and AA: rule and elements."""
        self.driver.execute_script(axe_script())
        found = self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a",
                                         "wcag21aa"]}).then(
                ({violations}) => done(JSON.stringify(violations.map(
                    ({id, nodes}) => [id, nodes.map(({html}) => html)]))))""")
        return json.loads(found)


def axe_script():
    """The script of axe, from the PyPI package that ships it."""
    pattern = os.path.join(os.environ.get("SLICE_DEPS_DIR", ""), "venv", "lib",
                           "python3*", "site-packages", "axe_core_python",
                           "axe.min.js")
    found = glob.glob(pattern)
    if not found:
        private_python.skip("no axe_core_python (scripts/test installs it)")
    with open(found[0], encoding="utf-8") as file:
        return file.read()
