import { eraseMessage } from '../../erasure/erase-mail'
import { believeReport } from '../../inbound/reports'
import { readMessage, readRaw } from '../../messages/messages'
import { answerInvitation } from '../../outbound/answer-invitation'
import { forwardMessage } from '../../outbound/forward'
import { handOver } from '../../outbound/hand-over'
import { replyToMessage, sendMessage } from '../../outbound/send'
import { listMessages } from '../../search/list-messages'
import { streamOf } from '../answers/download'
import { type Handlers, sentOrDraft } from './call'

export const messagesHandlers: Handlers['messages'] = {
  list: ({ ports, scope, request }) => listMessages(ports, scope, request),
  get: ({ ports, scope, request }) => readMessage(ports, scope, request.id),
  raw: async ({ ports, scope, request }) => {
    const raw = await readRaw(ports, scope, request.id)
    return new Response(streamOf(raw), {
      headers: {
        'content-type': 'message/rfc822',
        'content-length': String(raw.byteLength),
        'content-disposition': `attachment; filename="${request.id}.eml"`,
        'x-content-type-options': 'nosniff',
      },
    })
  },
  delete: ({ ports, scope, request }) => eraseMessage(ports, scope, request.id),
  send: async ({ ports, scope, request }) => sentOrDraft(await sendMessage(ports, scope, request)),
  forward: async ({ ports, scope, request }) => sentOrDraft(await forwardMessage(ports, scope, request)),
  handOver: ({ ports, scope, request }) => handOver(ports, scope, request),
  answerInvitation: async ({ ports, scope, request }) =>
    sentOrDraft(await answerInvitation(ports, scope, request)),
  believeReport: ({ ports, scope, request }) => believeReport(ports, scope, request.id),
  reply: async ({ ports, scope, request }) => sentOrDraft(await replyToMessage(ports, scope, request)),
}
