// SPDX-License-Identifier: MIT

export default {
  id: "sessions",
  title: "Sessions",
  mount(root) {
    const heading = document.createElement("h1");
    heading.textContent = "Sessions";
    root.append(heading);
    return () => {};
  },
};
