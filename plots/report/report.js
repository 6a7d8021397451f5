// Without this the page is whole; with it tables sort, a link to a query opens it, and what is folded
// on the screen is printed.
(function () {
    "use strict";

    function keyOf(row, column, isNumber) {
        var text = row.cells[column].textContent.trim();

        if (!isNumber) {
            return text;
        }
        return text === "" ? NaN : parseFloat(text);
    }

    // What has no value comes last, whichever way the rest is sorted.
    function compare(a, b, isNumber, direction) {
        if (!isNumber) {
            return direction * a.localeCompare(b, "en", { numeric: true });
        }
        if (isNaN(a) || isNaN(b)) {
            return (isNaN(a) ? 1 : 0) - (isNaN(b) ? 1 : 0);
        }
        return direction * (a - b);
    }

    function sortBy(table, header) {
        var body = table.tBodies[0];
        var column = header.cellIndex;
        var isNumber = header.classList.contains("n");
        var direction = header.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        var rows = Array.from(body.rows).map(function (row) {
            return { row: row, key: keyOf(row, column, isNumber) };
        });

        rows.sort(function (a, b) {
            return compare(a.key, b.key, isNumber, direction);
        });
        rows.forEach(function (one) {
            body.appendChild(one.row);
        });
        table.querySelectorAll("th").forEach(function (other) {
            other.removeAttribute("aria-sort");
        });
        header.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    }

    function makeSortable(table) {
        table.querySelectorAll("thead th").forEach(function (header) {
            var button = document.createElement("button");

            button.type = "button";
            button.textContent = header.textContent;
            button.addEventListener("click", function () {
                sortBy(table, header);
            });
            header.textContent = "";
            header.appendChild(button);
        });
    }

    function openTarget() {
        var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        var at = target;

        while (at) {
            if (at.tagName.toLowerCase() === "details") {
                at.open = true;
            }
            at = at.parentElement;
        }
        if (target) {
            target.scrollIntoView();
        }
    }

    var folded = [];

    function unfold() {
        folded = Array.from(document.querySelectorAll("details.folded:not([open])"));
        folded.forEach(function (one) {
            one.open = true;
        });
    }

    function fold() {
        folded.forEach(function (one) {
            one.open = false;
        });
    }

    document.querySelectorAll("table").forEach(makeSortable);
    window.addEventListener("beforeprint", unfold);
    window.addEventListener("afterprint", fold);
    window.addEventListener("hashchange", openTarget);
    openTarget();
}());
