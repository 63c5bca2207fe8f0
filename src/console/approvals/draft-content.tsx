import type { WaitingDraftWithContent } from '../../protocol/records/draft'
import { download } from '../core/ask'
import { shownLine, shownWhole } from '../core/shown'
import { fullTime, save, sizeText } from '../core/times'
import { HtmlBody } from '../html/html-body'
import { Button } from '../parts/button'
import { Icon } from '../parts/icon'
import { Letter } from '../parts/letter'
import { bodyWarnings } from './warnings'

/** Shows one text per line, so that one name cannot look like two. */
function Lines({ name, texts }: { name: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {texts.map((text) => (
          <div key={text}>{shownWhole(text)}</div>
        ))}
      </dd>
    </>
  )
}

/** Lists the files of a draft. Each can be saved and opened before the decision. */
function Files({ draft: { id, tenant_id, attachments } }: { draft: WaitingDraftWithContent }) {
  if (attachments.length === 0) return null
  const read = (position: number) =>
    download(`/console/accounts/${tenant_id}/drafts/${id}/file?position=${position}`, tenant_id)
  return (
    <>
      <dt>Files</dt>
      <dd>
        <ul class="row">
          {attachments.map(({ filename, content_type, size }, position) => {
            const name = shownLine(filename ?? '') || 'unnamed'
            return (
              <li key={position}>
                <Button onPress={async () => save(await read(position), name)} title="Download">
                  <Icon name="clip" />
                  <span>{name}</span>{' '}
                  <span class="faint">
                    {content_type}, {sizeText(size)}
                  </span>
                </Button>
              </li>
            )
          })}
        </ul>
      </dd>
    </>
  )
}

/** Shows everything in a draft except its bodies, since approval covers exactly what is shown. */
function Facts({ draft }: { draft: WaitingDraftWithContent }) {
  return (
    <dl class="facts">
      <Lines name="From" texts={[draft.from_addr]} />
      <Lines name="To" texts={draft.to} />
      <Lines name="Cc" texts={draft.cc} />
      <Lines name="Bcc" texts={draft.bcc} />
      <Lines name="Reply-To" texts={draft.reply_to} />
      <Lines name="Scheduled for" texts={draft.scheduled_at === null ? [] : [fullTime(draft.scheduled_at)]} />
      <Lines
        name="Sent only if"
        texts={draft.expect_last_message_id === null ? [] : ['no newer message is in the conversation']}
      />
      <Files draft={draft} />
      <Lines
        name="Header"
        texts={Object.entries(draft.headers).map(([name, value]) => `${name}: ${value}`)}
      />
    </dl>
  )
}

/** Shows a warning with each quoted piece isolated: right-to-left letters reorder no words around them. */
const Warning = ({ text }: { text: string }) => (
  <>{text.split(/(?=“)|(?<=”)/).map((part, at) => (part[0] === '“' ? <bdi key={at}>{part}</bdi> : part))}</>
)

function Warnings({ draft: { text, html } }: { draft: WaitingDraftWithContent }) {
  const warnings = bodyWarnings({ text, html })
  if (warnings.length === 0) return null
  return (
    <div class="note warn warnings" role="note">
      <strong>Warnings:</strong>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>
            <Warning text={shownWhole(warning)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Shows both bodies of a draft: first the HTML, which most recipients see, then the plain text. */
function Bodies({ draft }: { draft: WaitingDraftWithContent }) {
  const { tenant_id, text, html } = draft
  if (html === null) return text === null ? null : <Letter text={shownWhole(text)} />
  return (
    <>
      <section class="stack" aria-label="HTML">
        <h3>HTML, which most recipients see</h3>
        <HtmlBody key={html} account={tenant_id} message={undefined} html={html} />
      </section>
      {text !== null && (
        <section class="stack" aria-label="Plain text">
          <h3>Plain text, for email programs without HTML</h3>
          <Letter text={shownWhole(text)} />
        </section>
      )}
      <details>
        <summary>HTML source</summary>
        <Letter class="mono small" text={shownWhole(html)} />
      </details>
    </>
  )
}

/** Shows the whole draft, with warnings about content that a person could overlook. */
export function DraftContent({ draft }: { draft: WaitingDraftWithContent }) {
  return (
    <>
      <Facts draft={draft} />
      <Warnings draft={draft} />
      <Bodies draft={draft} />
    </>
  )
}
