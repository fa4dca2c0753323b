
"use strict";
// Tables: sorted by a column, filtered, and shown page by page, so that many rows stay quick. No row is an element before it is shown.
(function () {
  const make = (name, attributes, text) => {
    const element = document.createElement(name);
    Object.entries(attributes || {}).forEach(([key, value]) => element.setAttribute(key, value));
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const shown = (cell) => (cell === null ? "" : String(cell));
  const count = (n) => n.toLocaleString("en").replace(/,/g, "\u2009");

  // A filter: words that occur in a row, or conditions on a column; all of them, with commas between them.
  function compile(text, head) {
    const tests = [];
    for (const part of text.split(",").map((word) => word.trim()).filter(Boolean)) {
      const match = part.match(/^(.+?)\s*(<=|>=|!=|=|<|>)\s*(.*)$/);
      const column = match ? head.findIndex(([name]) => name.toLowerCase() === match[1].toLowerCase()) : -1;
      if (match && column < 0) return null;
      if (!match) {
        const word = part.toLowerCase();
        tests.push((row) => row.some((cell) => cell !== null && String(cell).toLowerCase().includes(word)));
        continue;
      }
      const wanted = match[3], number = Number(wanted), numeric = wanted !== "" && !Number.isNaN(number);
      if (!numeric && "<>".includes(match[2][0])) return null;
      const same = (cell) => (numeric && typeof cell === "number" ? cell === number : shown(cell).toLowerCase() === wanted.toLowerCase());
      const compare = {
        "=": (cell) => same(cell), "!=": (cell) => !same(cell),
        "<": (cell) => cell !== null && cell < number, ">": (cell) => cell !== null && cell > number,
        "<=": (cell) => cell !== null && cell <= number, ">=": (cell) => cell !== null && cell >= number,
      }[match[2]];
      tests.push((row) => compare(row[column]));
    }
    return (row) => tests.every((test) => test(row));
  }

  function order(column, direction) {
    return (a, b) => {
      const x = a[1][column], y = b[1][column];
      if (x === null || y === null) return x === y ? a[0] - b[0] : x === null ? 1 : -1;
      const numbers = typeof x === "number" && typeof y === "number";
      const sign = numbers ? x - y : shown(x).localeCompare(shown(y), "en");
      return sign === 0 ? a[0] - b[0] : sign * direction;
    };
  }

  function table(sheet) {
    const { head, rows } = JSON.parse(sheet.querySelector("script[type='application/json']").textContent);
    const body = sheet.querySelector("tbody"), controls = sheet.querySelector(".controls");
    const title = sheet.querySelector("h3").textContent;
    const all = rows.map((row, place) => [place, row]);
    let chosen = all, sorted = null, page = 0, size = 25;
    const input = make("input", { type: "search", placeholder: "word, or " + head[Math.min(1, head.length - 1)][0] + " > 0", "aria-label": "Filter of " + title, autocomplete: "off", spellcheck: "false" });
    const select = make("select", { "aria-label": "Rows of a page of " + title });
    for (const n of [25, 100, 500]) select.append(make("option", { value: n }, n + " rows"));
    const back = make("button", { type: "button" }, "Previous"), next = make("button", { type: "button" }, "Next");
    back.setAttribute("aria-label", "Previous rows of " + title);
    next.setAttribute("aria-label", "Next rows of " + title);
    const status = make("span", { role: "status", "aria-live": "polite" });
    const filter = make("label", { class: "filter" });
    filter.append(make("span", {}, "Filter"), input);
    const pages = make("div", { class: "pages" });
    pages.append(back, next, select, status);
    controls.append(filter, pages);
    controls.hidden = rows.length <= 3;

    function show() {
      const last = Math.max(0, Math.ceil(chosen.length / size) - 1);
      page = Math.min(page, last);
      const begin = page * size, end = Math.min(begin + size, chosen.length);
      const fragment = document.createDocumentFragment();
      for (const [, row] of chosen.slice(begin, end)) {
        const line = document.createElement("tr");
        row.forEach((cell, i) => {
          const entry = document.createElement("td"), text = shown(cell);
          if (head[i][1]) entry.className = "n";
          entry.textContent = text;
          if (text.length > 50) entry.title = text;
          line.append(entry);
        });
        fragment.append(line);
      }
      if (begin === end) {
        const line = document.createElement("tr");
        line.append(make("td", { colspan: head.length }, "No row matches the filter."));
        fragment.append(line);
      }
      body.replaceChildren(fragment);
      back.disabled = page === 0;
      next.disabled = page >= last;
      const of = chosen.length === rows.length ? "" : " (of " + count(rows.length) + ")";
      status.textContent = begin === end ? "no rows" + of : count(begin + 1) + " to " + count(end) + " of " + count(chosen.length) + of;
    }
    function choose() {
      const test = compile(input.value, head);
      input.setAttribute("aria-invalid", test === null);
      if (test === null) {
        status.textContent = "a condition is: a column, one of = != < <= > >=, and a value";
        return;
      }
      chosen = input.value.trim() === "" ? all.slice() : all.filter(([, row]) => test(row));
      if (sorted) chosen.sort(order(sorted.column, sorted.direction));
      page = 0;
      show();
    }
    const headers = [...sheet.querySelectorAll("thead th")];
    headers.forEach((header, column) => {
      const button = make("button", { type: "button" }, head[column][0]);
      header.replaceChildren(button);
      header.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const direction = sorted && sorted.column === column ? -sorted.direction : 1;
        sorted = { column, direction };
        headers.forEach((other) => other.setAttribute("aria-sort", "none"));
        header.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        choose();
      });
    });
    let waiting = 0;
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(choose, 120);
    });
    select.addEventListener("change", () => {
      page = Math.floor((page * size) / Number(select.value));
      size = Number(select.value);
      show();
    });
    back.addEventListener("click", () => { page -= 1; show(); });
    next.addEventListener("click", () => { page += 1; show(); });
    show();
  }
  document.querySelectorAll(".sheet").forEach(table);

  document.querySelectorAll(".copy").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      const text = button.parentElement.querySelector("code");
      const said = (word) => {
        button.textContent = word;
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      };
      const marked = () => { getSelection().selectAllChildren(text); said("Selected"); };
      if (!navigator.clipboard) return marked();
      navigator.clipboard.writeText(text.textContent).then(() => said("Copied"), marked);
    });
  });
  document.querySelectorAll(".save").forEach((button) => {
    button.addEventListener("click", () => {
      const image = button.closest("figure").querySelector("img");
      make("a", { href: image.src, download: button.dataset.name }).click();
    });
  });
})();
