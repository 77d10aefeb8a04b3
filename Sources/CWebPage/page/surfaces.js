// SPDX-License-Identifier: MIT

export default {
  id: "surfaces",
  title: "Surfaces",
  mount(root) {
    const heading = document.createElement("h1");
    heading.textContent = "Surfaces";
    root.append(heading);
    return () => {};
  },
};
