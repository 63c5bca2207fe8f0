/** HTML of messages: conversion from and to text, visibility, and warnings for approvers. */

export { bodyWarnings } from './body-warnings'
export { htmlToText } from './html-to-text'
export { attributesOf, eachToken } from './html-tokens'
export { picturesOf } from './pictures'
export { eachSeen } from './seen-html'
export { type ShownText, shownText, textShown } from './shown-text'
export { escapeHtml, textToHtml } from './text-to-html'
