import type { Config, DOMPurify as Purifier } from 'dompurify'
import { cleanAttribute, cleanSheet } from './safe-css'

/** Loaded by a separate script before this one. */
declare const DOMPurify: Purifier

/** Picture whose data is not there yet. */
export interface Picture {
  element: HTMLElement
  attribute: 'src' | 'background'
  address: string
}

/** Elements and attributes of a message that are shown. */
export interface Purified {
  /** Attributes of `<html>`, by name. */
  root: Record<string, string>
  head: HTMLElement[]
  body: HTMLElement
  pictures: Picture[]
}

/**
 * Allowed attribute values: these schemes, and every value without a scheme, since DOMPurify also checks
 * `width`, `align` and `dir` with it. The hook below removes what an address without a scheme could fetch.
 */
const allowedValue =
  /^(?:(?:https?|mailto|tel|cid):|data:image\/(?:png|jpe?g|gif|webp|bmp)[;,]|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i

const config: Config & { RETURN_DOM: true } = {
  WHOLE_DOCUMENT: true,
  RETURN_DOM: true,
  USE_PROFILES: { html: true },
  ADD_ATTR: [
    ...['target', 'background', 'bgcolor', 'bordercolor', 'link', 'vlink', 'alink', 'text'],
    ...['frame', 'rules', 'hspace', 'vspace', 'compact', 'char', 'charoff', 'abbr', 'axis'],
    ...['leftmargin', 'topmargin', 'marginwidth', 'marginheight'],
  ],
  FORBID_TAGS: [
    ...[
      'form',
      'input',
      'button',
      'select',
      'option',
      'optgroup',
      'textarea',
      'datalist',
      'output',
      'dialog',
    ],
    ...['audio', 'video', 'source', 'track', 'map', 'area', 'noscript', 'slot', 'template'],
  ],
  FORBID_ATTR: [
    'srcset',
    'sizes',
    'ping',
    'usemap',
    'popover',
    'popovertarget',
    'autofocus',
    'tabindex',
    'accesskey',
  ],
  ALLOWED_URI_REGEXP: allowedValue,
  ALLOW_DATA_ATTR: false,
  ADD_URI_SAFE_ATTR: ['background'],
}

const shownData = /^data:image\/(?:png|jpe?g|gif|webp|bmp)[;,]/i
const nothing = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

/** Removes the address of a picture until there is data for it. */
function holdPicture(element: HTMLElement, attribute: Picture['attribute'], found: Picture[]): void {
  const address = element.getAttribute(attribute)?.trim()
  if (!address || shownData.test(address)) return
  if (attribute === 'src') element.setAttribute('src', nothing)
  else element.removeAttribute(attribute)
  if (/^(?:https?:|cid:)/i.test(address)) found.push({ element, attribute, address })
}

function cleanLink(link: HTMLElement): void {
  const href = link.getAttribute('href')?.trim()
  if (!href || href.startsWith('#')) return link.removeAttribute('target')
  if (!/^(?:https?:|mailto:|tel:)/i.test(href)) return link.removeAttribute('href')
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noopener noreferrer')
}

/**
 * Elements for which a browser connects before it checks the policy: hints and embedded documents. Navigation
 * is here too, since it would replace the document.
 */
const ahead = 'link, meta, base, iframe, frame, frameset, object, embed, applet, portal, fencedframe, webview'

/** Attributes of `<html>` that change how the whole document looks. */
const rootAttributes = ['dir', 'lang', 'style', 'class']

const attributesOf = (root: HTMLElement): Record<string, string> =>
  Object.fromEntries(
    rootAttributes.flatMap((name) => (root.hasAttribute(name) ? [[name, root.getAttribute(name)!]] : [])),
  )

/**
 * Removes `<!--` and `-->` from a style sheet, which CSS ignores at its top level (CSS Syntax section 4.2).
 * Outlook and Hotmail write them, and DOMPurify drops a sheet that has them.
 */
function uncommentSheet(style: HTMLElement): void {
  const css = style.textContent ?? ''
  if (css.includes('<!--')) style.textContent = css.replaceAll('<!--', '').replaceAll('-->', '')
}

/** Removes everything from HTML that acts or fetches, in a document that is not shown. */
export function purify(html: string): Purified {
  const pictures: Picture[] = []
  DOMPurify.addHook('beforeSanitizeElements', (node) => {
    if (node.nodeName === 'STYLE') uncommentSheet(node as HTMLElement)
  })
  DOMPurify.addHook('afterSanitizeAttributes', (node) => {
    const element = node as HTMLElement
    if (element.hasAttribute('style')) cleanAttribute(element)
    if (element.localName === 'a') cleanLink(element)
    else element.removeAttribute('href')
    if (element.localName === 'img') holdPicture(element, 'src', pictures)
    else element.removeAttribute('src')
    if (element.hasAttribute('background')) holdPicture(element, 'background', pictures)
  })
  const root = DOMPurify.sanitize(html, config) as HTMLElement
  DOMPurify.removeAllHooks()
  for (const one of root.querySelectorAll(ahead)) one.remove()
  for (const style of root.querySelectorAll('style')) style.textContent = cleanSheet(style.textContent)
  const body = root.querySelector('body') ?? document.createElement('body')
  return {
    root: attributesOf(root),
    head: [...root.querySelectorAll<HTMLElement>('head style')],
    body,
    pictures,
  }
}
