export {
  BLACK,
  blended,
  type Color,
  colorOf,
  darkColorOf,
  isDark,
  isNear,
  legacyColorOf,
  UNKNOWN,
  WHITE,
} from './colors'
export { importedSheets, sheetIn } from './data-sheets'
export { cutsOff, FAR, isShrunk, type Kind, MIN_EXTENT, type Style, VERY_FAR } from './geometry'
export { Kept, KeptOfTexts } from './kept'
export { lengthOf, ratioOf, VIEWPORT } from './lengths'
export {
  areOver,
  type Cell,
  cellOf,
  isCrowded,
  isMovedOver,
  isPushedOut,
  isSqueezed,
  isThick,
  keepsBreaks,
  lineWidthIn,
  OVER,
  roomIn,
  THICK_BORDER,
} from './overlap'
export { matters, type Setting, settingsOf, UNDECIDED } from './properties'
export { StyleRules } from './style-rules'
export { type Declaration, readDeclarations, readStyleSheet, splitOutside, wordsOf } from './syntax'
