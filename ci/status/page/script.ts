/** Sorts the table by a click on a header. Without it, the table stands as it is: by urgency. */
export const SCRIPT = `
const table = document.querySelector("table");
const headers = [...table.tHead.rows[0].cells];
const order = new Intl.Collator("en", { numeric: true });
const key = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();
headers.forEach((header, column) => {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...header.childNodes);
  header.append(button);
  button.addEventListener("click", () => {
    const turn = header.ariaSort === "ascending" ? -1 : 1;
    for (const other of headers) other.ariaSort = null;
    header.ariaSort = turn === 1 ? "ascending" : "descending";
    const rows = [...table.tBodies[0].rows].map((row) => [key(row, column), row]);
    // What says nothing comes last either way.
    rows.sort(([a], [b]) => (a === "") - (b === "") || turn * order.compare(a, b));
    table.tBodies[0].append(...rows.map(([, row]) => row));
  });
});
document.documentElement.classList.add("sortable");
`;
