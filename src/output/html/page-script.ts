/** The script of every page: the filter, and what opens and closes all details. The page is complete without it. */
export const PAGE_SCRIPT = `
"use strict";
const form = document.querySelector(".filter");
if (form) {
  const input = form.querySelector("input");
  const status = form.querySelector(".status");
  const kinds = [...form.querySelectorAll("button[data-kind]")];
  const groups = [...document.querySelectorAll("[data-group]")].map((element) => ({
    element,
    kind: element.dataset.group,
    items: [...element.querySelectorAll("[data-item]")],
  }));
  const total = groups.reduce((sum, { items }) => sum + items.length, 0);
  const texts = new Map();
  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };
  const filter = () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const pressed = new Set(kinds.filter((button) => button.getAttribute("aria-pressed") === "true").map((button) => button.dataset.kind));
    let shown = 0;
    for (const { element, kind, items } of groups) {
      let found = 0;
      for (const item of items) {
        const isShown = (pressed.size === 0 || pressed.has(kind)) && words.every((word) => textOf(item).includes(word));
        item.hidden = !isShown;
        if (isShown) found++;
      }
      element.hidden = found === 0;
      shown += found;
    }
    const isFiltered = words.length > 0 || pressed.size > 0;
    status.textContent = !isFiltered ? total + (total === 1 ? " entry" : " entries") : shown === 0 ? "Nothing matches the filter." : shown + " of " + total + " entries match the filter.";
  };
  input.addEventListener("input", filter);
  for (const button of kinds)
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      filter();
    });
  const all = form.querySelector("button[data-all]");
  const details = [...document.querySelectorAll("[data-item] > details")];
  const name = () => {
    all.textContent = details.every(({ open }) => open) ? "Collapse all" : "Expand all";
  };
  all.addEventListener("click", () => {
    const isOpen = details.some(({ open }) => !open);
    for (const one of details) one.open = isOpen;
    name();
  });
  all.hidden = details.length === 0;
  name();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
}
`;
