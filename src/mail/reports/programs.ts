import type { MailHead } from '../headers'

/** Kinds of programs that submit people's words. */
export type ViaKind = 'forward' | 'ticket' | 'tracker' | 'form' | 'marketplace' | 'social'

/** A program that relays people's words, known by header fields of its own or by the domain in From. */
export interface Program {
  name: string
  kind: ViaKind
  /** Header fields in lower case: whole names, or prefixes of two words such as `x-zendesk-`. */
  fields?: readonly string[]
  /** Domains in From; subdomains count as well. */
  domains?: readonly string[]
}

const programs: readonly Program[] = [
  { name: 'Zendesk', kind: 'ticket', fields: ['x-zendesk-'], domains: ['zendesk.com'] },
  {
    name: 'Freshdesk',
    kind: 'ticket',
    fields: ['x-fd-', 'x-freshdesk-', 'x-fw-'],
    domains: ['freshdesk.com', 'freshservice.com', 'freshemail.io'],
  },
  {
    name: 'Intercom',
    kind: 'ticket',
    fields: ['x-intercom-'],
    domains: ['intercom-mail.com', 'intercom.io'],
  },
  {
    name: 'HubSpot',
    kind: 'ticket',
    fields: ['x-hubspot-', 'x-hs-'],
    domains: ['hs-inbox.com', 'hubspot-inbox.com'],
  },
  {
    name: 'Help Scout',
    kind: 'ticket',
    fields: ['x-helpscout-'],
    domains: ['helpscout.net', 'helpscoutapp.com'],
  },
  { name: 'Front', kind: 'ticket', fields: ['x-front-'], domains: ['frontapp.com'] },
  { name: 'Zammad', kind: 'ticket', fields: ['x-zammad-'], domains: ['zammad.com'] },
  { name: 'OTRS', kind: 'ticket', fields: ['x-otrs-', 'x-znuny-'] },
  { name: 'Request Tracker', kind: 'ticket', fields: ['rt-ticket', 'rt-originator', 'x-rt-'] },
  { name: 'osTicket', kind: 'ticket', fields: ['x-ost-'] },
  { name: 'FreeScout', kind: 'ticket', fields: ['x-freescout-'] },
  { name: 'Gorgias', kind: 'ticket', fields: ['x-gorgias-'], domains: ['gorgias.com', 'gorgias.io'] },
  { name: 'Jira', kind: 'tracker', fields: ['x-jira-'], domains: ['atlassian.net'] },
  { name: 'GitHub', kind: 'tracker', fields: ['x-github-'], domains: ['github.com'] },
  { name: 'GitLab', kind: 'tracker', fields: ['x-gitlab-'], domains: ['gitlab.com'] },
  { name: 'Bitbucket', kind: 'tracker', fields: ['x-bitbucket-'], domains: ['bitbucket.org'] },
  { name: 'Gitea', kind: 'tracker', fields: ['x-gitea-', 'x-forgejo-'] },
  { name: 'Redmine', kind: 'tracker', fields: ['x-redmine-'] },
  { name: 'Bugzilla', kind: 'tracker', fields: ['x-bugzilla-'] },
  { name: 'Launchpad', kind: 'tracker', fields: ['x-launchpad-'] },
  { name: 'Linear', kind: 'tracker', domains: ['linear.app'] },
  { name: 'Asana', kind: 'tracker', fields: ['x-asana-'], domains: ['asana.com'] },
  { name: 'Trello', kind: 'tracker', domains: ['trello.com'] },
  { name: 'Basecamp', kind: 'tracker', domains: ['basecamp.com'] },
  { name: 'LinkedIn', kind: 'social', fields: ['x-linkedin-'], domains: ['linkedin.com'] },
  { name: 'Facebook', kind: 'social', fields: ['x-facebook-'], domains: ['facebookmail.com'] },
  { name: 'Discourse', kind: 'social', fields: ['x-discourse-post-id'] },
  { name: 'Google Voice', kind: 'social', domains: ['txt.voice.google.com'] },
  { name: 'eBay', kind: 'marketplace', fields: ['x-ebay-'], domains: ['ebay.com', 'ebay.de', 'ebay.co.uk'] },
  { name: 'Airbnb', kind: 'marketplace', domains: ['airbnb.com'] },
  { name: 'Etsy', kind: 'marketplace', fields: ['x-etsy-'], domains: ['etsy.com'] },
  {
    name: 'Amazon',
    kind: 'marketplace',
    domains: ['marketplace.amazon.com', 'marketplace.amazon.de', 'marketplace.amazon.co.uk'],
  },
  { name: 'Booking.com', kind: 'marketplace', domains: ['guest.booking.com', 'property.booking.com'] },
  { name: 'Expedia', kind: 'marketplace', domains: ['expediapartnercentral.com'] },
]

/** Compared labels of a domain: more than any domain above has. */
const maxLabels = 6
const byField = new Map(programs.flatMap((one) => (one.fields ?? []).map((field) => [field, one] as const)))
const byDomain = new Map(
  programs.flatMap((one) => (one.domains ?? []).map((domain) => [domain, one] as const)),
)

/** Returns the first two words of a field name, as in `x-zendesk-`. */
const prefixOf = (name: string): string => name.slice(0, name.indexOf('-', 2) + 1)

/**
 * Finds the program that wrote a header: by its own fields, else by the domain in From or a parent domain.
 */
export function knownProgram(head: MailHead): Program | undefined {
  for (const name of head.names) {
    const found = byField.get(name) ?? byField.get(prefixOf(name))
    if (found) return found
  }
  const sender = head.sender?.address.toLowerCase() ?? ''
  const labels = sender
    .slice(sender.lastIndexOf('@') + 1)
    .split('.')
    .slice(-maxLabels)
  for (let at = 0; at < labels.length - 1; at++) {
    const found = byDomain.get(labels.slice(at).join('.'))
    if (found) return found
  }
  return undefined
}
