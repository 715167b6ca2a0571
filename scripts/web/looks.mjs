// What can be measured of the looks of a page: as in the audits of browsers.

/** Texts whose contrast with their background is below that of WCAG 2.2, AA. */
export const contrast = (page) => page.evaluate(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((value, i) => value * a + under[i] * (1 - a));
  const light = (color) => {
    const [r, g, b] = color.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.unshift(rgba(getComputedStyle(at).backgroundColor));
    return layers.reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const problems = [];
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, textContent } = walker.currentNode;
    if (!textContent.trim() || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || element.closest(':disabled, script, noscript')) continue;
    const style = getComputedStyle(element);
    const [under, size] = [backgroundOf(element), parseFloat(style.fontSize)];
    const [a, b] = [light(over(rgba(style.color), under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    count += 1;
    if (ratio < (isLarge ? 3 : 4.5)) problems.push(`${textContent.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return { count, problems };
});

/** Elements that are wider than the page, outside of those that scroll. */
export const overflow = (page) => page.evaluate(() => {
  const scrolls = (element) => element && (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const wide = [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && element.checkVisibility() && !scrolls(element.parentElement));
  const panel = document.querySelector('.panel:not([hidden])');
  if (panel && panel.scrollWidth > panel.clientWidth + 1) wide.push(panel);
  return wide.map((element) => element.id || element.className || element.tagName);
});

/** Controls without a name for screen readers. */
export async function names(page) {
  const roles = ['button', 'link', 'textbox', 'spinbutton', 'combobox', 'checkbox', 'tab', 'tabpanel', 'progressbar'];
  const unnamed = [];
  const open = [await page.accessibility.snapshot()];
  while (open.length > 0) {
    const node = open.pop();
    if (roles.includes(node.role) && !node.name) unnamed.push(node.role);
    open.push(...(node.children ?? []));
  }
  return unnamed;
}

/** Controls that are smaller than 24 pixels, or buttons than 40. */
export const targets = (page) => page.evaluate(() => {
  const of = (selector, least) => [...document.querySelectorAll(selector)].filter((element) => {
    const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
    return element.checkVisibility() && (width < Math.min(least, 36) || height < least);
  }).map((element) => `${element.id || element.textContent || element.tagName}: ${element.getBoundingClientRect().height}`);
  return [...of('button, select, input:not([type=checkbox]), summary', 40), ...of('input[type=checkbox], a', 24)];
});
