"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
  };
  const order = (a, b) =>
    typeof a === "number" && typeof b === "number"
      ? Number.isNaN(a) - Number.isNaN(b) || a - b
      : String(a).localeCompare(String(b), undefined, { numeric: true });
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const first = head.dataset.first || "ascending";
      const second = first === "ascending" ? "descending" : "ascending";
      const next = now === first ? second : first;
      const sign = next === "ascending" ? 1 : -1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", next);
      const rows = [...body.rows];
      rows.sort((a, b) => sign * order(value(a, column), value(b, column)));
      body.append(...rows);
    });
  });
}
for (const button of document.querySelectorAll("button.copy")) {
  const text = document.getElementById(button.dataset.copies);
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = "Selected, to be copied";
    }
  });
}
