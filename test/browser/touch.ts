/**
 * To be run in a page: tells what looks active inside `place`, after every element was touched in every way.
 * @param place a selector.
 */
export const touchEverything = (place: string): string => `(() => {
  const doubtful = [];
  for (const element of document.querySelectorAll("${place} *")) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on") || name === "style") doubtful.push(element.tagName + " " + name + "=" + value);
    }
    const address = element.href || element.src;
    if (address && !/^(https?|mailto):/.test(address)) doubtful.push(element.tagName + " " + address);
    element.addEventListener("click", (event) => event.preventDefault());
    for (const kind of ["mouseover", "focus", "click", "error", "load", "toggle", "animationstart", "pointerover"]) {
      element.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }));
    }
  }
  return { doubtful, foreign: document.querySelectorAll("${place} :is(script, style, svg, iframe, form)").length };
})()`;
