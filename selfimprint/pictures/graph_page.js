"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = new Map(data.nodes.map((node) => [node.id, node]));
  const canvas = document.getElementById("canvas");
  const svg = canvas.querySelector("svg");
  const details = document.getElementById("details");
  const found = document.getElementById("found");
  const form = document.querySelector(".controls");
  const search = document.getElementById("search");
  const drawn = new Map([...svg.querySelectorAll(".si-node")].map((element) => [element.dataset.id, element]));
  const links = [...svg.querySelectorAll(".si-link")];
  const rows = new Map([...document.querySelectorAll("#nodes button")].map((element) => [element.dataset.id, element]));
  const narrow = matchMedia("(max-width: 860px)");
  let chosen = null;

  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  const describe = (node) => {
    const parts = [make("p", "content", node.content), make("p", "facts", node.facts.join(" · "))];
    if (!drawn.has(node.id)) parts.push(make("p", "hint", data.words.not_drawn));
    if (node.sources.length) {
      parts.push(make("h3", "", data.words.sources));
      const list = make("ul");
      for (const line of node.sources) list.append(make("li", "", line));
      parts.push(list);
    }
    if (node.links.length) {
      parts.push(make("h3", "", data.words.links));
      const list = make("ul");
      for (const link of node.links) {
        const item = make("li");
        const button = make("button", "", byId.get(link.to).content);
        button.type = "button";
        button.addEventListener("click", () => choose(link.to));
        item.append(make("span", "relation", `${link.text} `), button);
        list.append(item);
      }
      parts.push(list);
    }
    details.replaceChildren(...parts);
  };

  const choose = (id, { scroll = true } = {}) => {
    chosen = id;
    const node = id === null ? null : byId.get(id);
    const near = new Set(node ? [id, ...node.links.map((link) => link.to)] : []);
    for (const [other, element] of drawn) {
      element.classList.toggle("chosen", other === id);
      element.classList.toggle("dim", node !== null && !near.has(other));
    }
    for (const element of links) {
      element.classList.toggle("dim", node !== null && element.dataset.from !== id && element.dataset.to !== id);
    }
    for (const [other, element] of rows) element.setAttribute("aria-current", String(other === id));
    if (node === null) {
      details.replaceChildren(make("p", "hint", data.words.choose));
      return;
    }
    describe(node);
    details.parentElement.scrollTop = 0;
    if (narrow.matches) details.parentElement.scrollIntoView({ block: "nearest" });
    else if (scroll) rows.get(id)?.scrollIntoView({ block: "nearest" });
  };

  const filter = () => {
    const types = new Set([...form.querySelectorAll("input[name=type]:checked")].map((box) => box.value));
    const known = new Set([...form.querySelectorAll("input[name=type]")].map((box) => box.value));
    const words = search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    const shown = new Set();
    for (const node of data.nodes) {
      const text = node.content.toLocaleLowerCase();
      const fits = (types.has(node.type) || !known.has(node.type)) && words.every((word) => text.includes(word));
      if (fits) shown.add(node.id);
      count += fits;
      const row = rows.get(node.id);
      if (row) row.parentElement.hidden = !fits;
      drawn.get(node.id)?.classList.toggle("off", !fits);
    }
    for (const element of links) {
      element.classList.toggle("off", !shown.has(element.dataset.from) || !shown.has(element.dataset.to));
    }
    found.textContent = count === data.nodes.length ? "" : `${data.words.found}: ${count}`;
    if (chosen !== null && !shown.has(chosen)) choose(null);
  };

  // -- size of the picture: fits the page, but labels stay readable on a phone, where it scrolls
  const natural = svg.viewBox.baseVal.width;
  const shape = svg.viewBox.baseVal.height / natural;
  const resize = (width) => {
    svg.setAttribute("width", String(Math.round(width)));
    svg.setAttribute("height", String(Math.round(width * shape)));
  };
  const fit = () => {
    const wide = canvas.clientWidth;
    const high = canvas.clientWidth > 600 ? Math.max(canvas.clientHeight, 400) / shape : Infinity;
    resize(Math.max(Math.min(wide, high, natural * 1.25), Math.min(wide, natural * 0.9), Math.min(natural * 0.68, 1000)));
  };
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => {
      const width = Number(svg.getAttribute("width"));
      if (button.dataset.zoom === "fit") resize(Math.min(canvas.clientWidth, natural));
      else resize(Math.min(Math.max(width * (button.dataset.zoom === "in" ? 1.25 : 0.8), 280), natural * 4));
    });
  }

  for (const [id, element] of drawn) {
    element.addEventListener("click", () => choose(id === chosen ? null : id));
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(id);
    });
  }
  for (const [id, element] of rows) {
    element.addEventListener("click", () => {
      choose(id, { scroll: false });
      if (!narrow.matches) drawn.get(id)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") choose(null);
  });
  search.addEventListener("input", filter);
  form.addEventListener("change", filter);
  form.addEventListener("reset", () => setTimeout(() => { filter(); choose(null); }));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("resize", fit);
  fit();
  filter();
  if (location.hash.startsWith("#node=")) {
    const id = decodeURIComponent(location.hash.slice(6));
    if (byId.has(id)) choose(id);
  }
})();
