import type { MailHead } from '../headers/mail-head'

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
  /** Domains in From whose addresses each stand for a person. */
  relays?: readonly string[]
  /** True if it also reports much on its own: only its comments are a person's. */
  isReporter?: boolean
}

/** Endings of a company's domains by country. */
const under = (name: string, endings: string): string[] =>
  endings.split(' ').map((ending) => `${name}.${ending}`)

const ebay = 'com at be ca ch co.uk com.au com.hk com.my com.sg de es fr ie in it nl ph pl vn'
const amazon =
  'com ae ca cn co.jp co.uk co.za com.au com.be com.br com.co com.mx com.ng com.tr de eg es fr ie in it nl pl sa se sg'

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
  {
    name: 'ServiceNow',
    kind: 'ticket',
    fields: ['x-servicenow-'],
    domains: ['service-now.com'],
    isReporter: true,
  },
  { name: 'Gorgias', kind: 'ticket', fields: ['x-gorgias-'], domains: ['gorgias.com', 'gorgias.io'] },
  { name: 'Jira', kind: 'tracker', fields: ['x-jira-'], domains: ['atlassian.net'] },
  { name: 'GitHub', kind: 'tracker', fields: ['x-github-'], domains: ['github.com'] },
  { name: 'GitLab', kind: 'tracker', fields: ['x-gitlab-'], domains: ['gitlab.com'] },
  { name: 'Bitbucket', kind: 'tracker', fields: ['x-bitbucket-'], domains: ['bitbucket.org'] },
  { name: 'Gitea', kind: 'tracker', fields: ['x-gitea-', 'x-forgejo-'] },
  { name: 'Redmine', kind: 'tracker', fields: ['x-redmine-'] },
  { name: 'Bugzilla', kind: 'tracker', fields: ['x-bugzilla-'] },
  { name: 'Launchpad', kind: 'tracker', fields: ['x-launchpad-'], relays: ['bugs.launchpad.net'] },
  { name: 'Linear', kind: 'tracker', domains: ['linear.app'] },
  { name: 'Asana', kind: 'tracker', fields: ['x-asana-'], domains: ['asana.com'] },
  { name: 'Trello', kind: 'tracker', domains: ['trello.com'] },
  { name: 'Basecamp', kind: 'tracker', domains: ['basecamp.com'] },
  { name: 'LinkedIn', kind: 'social', fields: ['x-linkedin-'], domains: ['linkedin.com'] },
  { name: 'Facebook', kind: 'social', fields: ['x-facebook-'], domains: ['facebookmail.com'] },
  { name: 'Discourse', kind: 'social', fields: ['x-discourse-post-id'] },
  { name: 'Google Voice', kind: 'social', relays: ['txt.voice.google.com'] },
  {
    name: 'eBay',
    kind: 'marketplace',
    fields: ['x-ebay-'],
    domains: under('ebay', ebay),
    relays: under('members.ebay', ebay),
  },
  { name: 'Airbnb', kind: 'marketplace', domains: ['airbnb.com'] },
  { name: 'Etsy', kind: 'marketplace', fields: ['x-etsy-'], domains: ['etsy.com'] },
  { name: 'Amazon', kind: 'marketplace', relays: under('marketplace.amazon', amazon) },
  {
    name: 'Booking.com',
    kind: 'marketplace',
    domains: ['property.booking.com'],
    relays: ['guest.booking.com', 'mchat.booking.com'],
  },
  {
    name: 'Expedia',
    kind: 'marketplace',
    domains: ['expediapartnercentral.com'],
    relays: ['m.expediapartnercentral.com'],
  },
  { name: 'Vrbo', kind: 'marketplace', domains: ['homeaway.com'], relays: ['messages.homeaway.com'] },
  { name: 'Agoda', kind: 'marketplace', relays: ['agoda-messaging.com'] },
  {
    name: 'Kleinanzeigen',
    kind: 'marketplace',
    relays: ['mail.kleinanzeigen.de', 'mail.ebay-kleinanzeigen.de'],
  },
]

/** Compared labels of a domain: more than any domain above has. */
const maxLabels = 6
const byField = new Map(programs.flatMap((one) => (one.fields ?? []).map((field) => [field, one] as const)))
const byDomain = new Map(
  programs.flatMap((one) =>
    [...(one.domains ?? []), ...(one.relays ?? [])].map((domain) => [domain, one] as const),
  ),
)
const relays = new Set(programs.flatMap((one) => one.relays ?? []))

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
  const domain = domainsOf(head).find((one) => byDomain.has(one))
  return domain === undefined ? undefined : byDomain.get(domain)
}

/** Returns whether the address in From stands for a person. */
export const isRelay = (head: MailHead): boolean => domainsOf(head).some((domain) => relays.has(domain))

/** Returns the domain in From with its parents. */
function domainsOf(head: MailHead): string[] {
  const sender = head.sender?.address.toLowerCase() ?? ''
  const labels = sender
    .slice(sender.lastIndexOf('@') + 1)
    .split('.')
    .slice(-maxLabels)
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
}
