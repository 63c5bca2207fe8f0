import { tell } from '../core'
import { Button } from './button'

/** Copies a text to the clipboard. */
export function Copy({ text, what }: { text: string; what: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    tell('Copied.')
  }
  return (
    <Button kind="quiet" onPress={copy} label={`Copy ${what}`}>
      Copy
    </Button>
  )
}
