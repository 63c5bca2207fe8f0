import type { ComponentType } from 'preact'
import { isCaptured } from './core/location'
import type { IconName } from './parts/icon'
import type { PageProps } from './parts/reading'

/** Page of the console: a path, an entry in the navigation, and a file that is loaded on first use. */
export interface Page {
  path: string
  title: string
  icon: IconName
  /** Belongs to the operator and needs no account. */
  isPersonal?: true
  /** Keeps the mailbox open, which counts unread messages and waiting drafts. */
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

/** All pages in the order of the navigation. Talk exists only if the service captures outgoing messages. */
export const pages: readonly Page[] = [
  {
    path: '/conversations',
    title: 'Conversations',
    icon: 'mail',
    isLive: true,
    load: () => import('./conversations/conversations-page'),
  },
  {
    path: '/messages',
    title: 'All messages',
    icon: 'archive',
    isLive: true,
    load: () => import('./mail/mail-page'),
  },
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
  { path: '/audit', title: 'Audit log', icon: 'label', load: () => import('./audit/audit-page') },
  { path: '/keys', title: 'API keys', icon: 'key', load: () => import('./keys/keys-page') },
  {
    path: '/you',
    title: 'Profile',
    icon: 'person',
    isPersonal: true,
    load: () => import('./front/you-page'),
  },
]
