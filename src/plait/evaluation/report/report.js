(() => {
  "use strict";
  const list = document.getElementById("questions");
  const filter = document.getElementById("filter");
  const order = document.getElementById("order");
  const count = document.getElementById("count");
  const questions = Array.from(list.children, (node) => ({
    node,
    text: node.firstElementChild.textContent.toLowerCase(),
  }));

  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { node, text } of questions) {
      node.hidden = !words.every((word) => text.includes(word));
      shown += node.hidden ? 0 : 1;
    }
    count.textContent = shown === questions.length ? "" : `${shown} of ${questions.length}`;
  };

  const sort = () => {
    const key = order.value.replace("-", "");
    const sign = order.value.startsWith("-") ? -1 : 1;
    const value = ({ node }) => (key in node.dataset ? sign * Number(node.dataset[key]) : Infinity);
    const place = ({ node }) => Number(node.dataset.at);
    questions.sort((one, two) => value(one) - value(two) || place(one) - place(two));
    list.append(...questions.map(({ node }) => node));
  };

  filter.addEventListener("input", show);
  order.addEventListener("change", sort);
  document.getElementById("controls").hidden = false;
})();
