/** Components and hooks that pages share. */

export { Button, Field, Form } from './button'
export { Copy } from './copy'
export { Dialog } from './dialog'
export { useFocus } from './focus'
export { Icon, type IconName } from './icon'
export { Late } from './late'
export { Letter } from './letter'
export type { PageProps } from './page-props'
export { type Reading, useReading } from './reading'
export { Empty, Failed, Loading } from './states'
