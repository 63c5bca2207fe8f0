const shapes = {
  mark: 'M2.5 5.5 8 2l5.5 3.5v7a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1z M2.5 5.5 8 9l5.5-3.5',
  mail: 'M2 4.5a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z M2.3 4.2 8 8.5l5.7-4.3',
  key: 'M10.5 8.5a3 3 0 1 0-2.7-1.7L2.5 12v1.5h2V12H6v-1.5h1.5z M11 5h.01',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  approve: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z m-2.6-5.8 1.9 1.9 3.4-3.8',
  pulse: 'M1.5 8.5H4L6 3l3.5 10L11.5 8.5h3',
  talk: 'M2.5 3.5h11v7.5H7l-3 2.5V11H2.5z',
  person: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8z M2.8 13.5c.6-2.3 2.7-3.5 5.2-3.5s4.6 1.2 5.2 3.5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z m3.3-1.2 3.2 3.2',
  archive: 'M2.5 3h11v3h-11z M3.5 6v7h9V6 M6.5 8.5h3',
  trash: 'M3 4.5h10 M6.5 4.5V3h3v1.5 M4.2 4.5l.6 8.5h6.4l.6-8.5',
  label: 'M2.5 3v4.5l6 6 5-5-6-6H3a.5.5 0 0 0-.5.5z M5.2 5.7h.01',
  unread: 'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  clip: 'M12.5 7.5 7.8 12a2.6 2.6 0 0 1-3.7-3.7l5-5a1.7 1.7 0 0 1 2.4 2.4l-5 5a.8.8 0 0 1-1.2-1.2L10 5',
  more: 'M3.5 8h.01 M8 8h.01 M12.5 8h.01',
  reply: 'M6.5 4 2.5 8l4 4 M2.5 8h6c3 0 5 1.5 5 4.5',
  warn: 'M8 2.5 14.5 13.5h-13z M8 6.5v3.5 M8 12h.01',
  close: 'm4 4 8 8 m0-8-8 8',
} as const

/** Name of an icon. */
export type IconName = keyof typeof shapes

/** Shows an icon beside a text with the same meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
