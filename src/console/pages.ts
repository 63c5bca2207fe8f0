import type { ComponentType } from 'preact'
import type { IconName, PageProps } from './parts'

/** A page of the console: it has a path, a place in the list of pages, and a file that is loaded when it is opened. */
export interface Page {
  path: string
  title: string
  icon: IconName
  /** It is of the operator, and looks at no account. */
  isPersonal?: true
  load(): Promise<{ Page: ComponentType<PageProps> }>
}

/** Every page, in the order in which they are listed. */
export const pages: readonly Page[] = [
  { path: '/mail', title: 'Mail', icon: 'mail', load: () => import('./mail/mail-page') },
  {
    path: '/approvals',
    title: 'Approvals',
    icon: 'approve',
    load: () => import('./approvals/approvals-page'),
  },
  { path: '/keys', title: 'Keys', icon: 'key', load: () => import('./keys/keys-page') },
  { path: '/you', title: 'You', icon: 'person', isPersonal: true, load: () => import('./front/you-page') },
]
