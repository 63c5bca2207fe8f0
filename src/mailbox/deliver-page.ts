import type { EventPage } from '../protocol'
import { findMisfit } from './read-frame'
import type { SourceSink } from './source'

/** The most events that one page holds (`limit` of GET /events). */
export const pageLimit = 500

/** Tells a sink what a page of the log says. */
export const deliverPage = (page: EventPage, sink: Pick<SourceSink, 'event' | 'covered'>): void => {
  let prev = page.from
  for (const event of page.events) {
    sink.event(prev, event, findMisfit(event))
    prev = event.seq
  }
  sink.covered(prev, page.to, page.head)
}
