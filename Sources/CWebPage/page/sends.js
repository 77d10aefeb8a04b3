// SPDX-License-Identifier: MIT

export default {
  id: "sends",
  title: "Sends",
  mount(root) {
    const heading = document.createElement("h1");
    heading.textContent = "Sends";
    root.append(heading);
    return () => {};
  },
};
