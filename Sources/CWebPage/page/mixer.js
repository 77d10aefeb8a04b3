// SPDX-License-Identifier: MIT

export default {
  id: "mixer",
  title: "Mixer",
  mount(root) {
    const heading = document.createElement("h1");
    heading.textContent = "Mixer";
    root.append(heading);
    return () => {};
  },
};
