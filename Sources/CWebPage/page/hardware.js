// SPDX-License-Identifier: MIT

export default {
  id: "hardware",
  title: "Hardware",
  mount(root) {
    const heading = document.createElement("h1");
    heading.textContent = "Hardware";
    root.append(heading);
    return () => {};
  },
};
