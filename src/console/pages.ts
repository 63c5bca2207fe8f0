import type { ComponentType } from 'preact'
import { isCaptured } from './core'
import type { IconName, PageProps } from './parts'

/** A page of the console: it has a path, a place in the list of pages, and a file that is loaded when it is opened. */
export interface Page {
  path: string
  title: string
  icon: IconName
  /** It is of the operator, and looks at no account. */
  isPersonal?: true
  /** It keeps the mailbox open, which counts what is unread and what waits for approval. */
  isLive?: true
  load(): Promise<{ Page: ComponentType<PageProps> }>
}

const talk: Page = {
  path: '/talk',
  title: 'Talk',
  icon: 'talk',
  isLive: true,
  load: () => import('./talk/talk-page'),
}

/** Every page, in the order in which they are listed; one can talk with an agent only where no mail leaves. */
export const pages: readonly Page[] = [
  { path: '/mail', title: 'Mail', icon: 'mail', isLive: true, load: () => import('./mail/mail-page') },
  ...(isCaptured ? [talk] : []),
  {
    path: '/approvals',
    title: 'Approvals',
    icon: 'approve',
    isLive: true,
    load: () => import('./approvals/approvals-page'),
  },
  {
    path: '/operations',
    title: 'Operations',
    icon: 'pulse',
    load: () => import('./operations/operations-page'),
  },
  { path: '/keys', title: 'Keys', icon: 'key', load: () => import('./keys/keys-page') },
  { path: '/you', title: 'You', icon: 'person', isPersonal: true, load: () => import('./front/you-page') },
]
