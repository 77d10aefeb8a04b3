// SPDX-License-Identifier: MIT

export default {
  id: "scenes",
  title: "Scenes",
  mount(root) {
    const heading = document.createElement("h1");
    heading.textContent = "Scenes";
    root.append(heading);
    return () => {};
  },
};
