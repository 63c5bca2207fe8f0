import type { Attack } from './attack'
import { drafts } from './drafts'
import { files } from './files'
import { fences, forgedResults, roles } from './forgeries'
import { html } from './html'
import { labels } from './labels'
import { lookalikes } from './lookalikes'
import { names } from './names'
import { oracles } from './oracles'
import { owner } from './owner'
import { agentDojo, injecAgent, languages, llmail } from './published'
import { quotes } from './quotes'
import { refusals } from './refusals'
import { relays } from './relays'
import { slow } from './slow'
import { steps } from './steps'
import { strangers } from './strangers'
import { threads } from './threads'
import { unsigned } from './unsigned'
import { waits } from './waits'
import { words } from './words'

/** Every attack, by its family. */
export const families: Readonly<Record<string, readonly Attack[]>> = {
  ...{ words, fences, roles, 'forged results': forgedResults, files, names, quotes, lookalikes },
  unsigned,
  ...{ steps, slow, strangers, threads, relays, waits, drafts, labels, html, owner, oracles, refusals },
  ...{
    'as in AgentDojo': agentDojo,
    'as in InjecAgent': injecAgent,
    'as in LLMail-Inject': llmail,
    languages,
  },
}
