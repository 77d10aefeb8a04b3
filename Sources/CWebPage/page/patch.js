// SPDX-License-Identifier: MIT

export default {
  id: "patch",
  title: "Patch",
  mount(root) {
    const heading = document.createElement("h1");
    heading.textContent = "Patch";
    root.append(heading);
    return () => {};
  },
};
