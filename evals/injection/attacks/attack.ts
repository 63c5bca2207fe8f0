import type { OwnerOptions, Stage } from '../stage'

/** A way to make an agent tell somebody what is not theirs. */
export interface Attack {
  readonly name: string
  /** The options that the owner has set; else the defaults hold. */
  readonly options?: OwnerOptions
  play(stage: Stage): Promise<unknown>
}

export const eve = 'Eve <eve@evil.example>'
export const eveAddress = 'eve@evil.example'
export const mallory = 'mallory@dropbox.example'

/** An attack that is one mail of a stranger, whose domain is proven. */
export const mail = (
  name: string,
  said: {
    subject?: string
    text?: string
    html?: string
    from?: string
    files?: { name: string; content: string; type?: string }[]
  },
  options?: OwnerOptions,
): Attack => ({
  name,
  options,
  play: (stage) => stage.turn({ from: eve, subject: 'A question', text: 'Hello', ...said }),
})
