type Child = Node | string

/** Creates an element. Texts are never parsed as HTML. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: Child[]
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...children)
  return made
}

/** Returns the element with this id, which the page must have. */
export const byId = <E extends HTMLElement>(id: string): E => {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no ${id}.`)
  return found as E
}

export const card = (className: string, title: string, ...children: Child[]): HTMLElement =>
  element('section', `card ${className}`, element('h2', '', title), ...children)

export const list = (className: string, texts: readonly string[]): HTMLElement =>
  element('ul', className, ...texts.map((text) => element('li', '', text)))
