import type { FunctionComponent } from 'preact'
import { useReading } from './reading'
import { Failed, Loading } from './states'

interface LateProps<Props> {
  /** Tells components apart in the same place. */
  name: string
  load: () => Promise<FunctionComponent<Props>>
  props: Props
}

/** Shows a component that is loaded on first use. */
export function Late<Props extends object>({ name, load, props }: LateProps<Props>) {
  const { value, error, again } = useReading(name, load)
  if (error.value) return <Failed error={error.value} again={again} />
  const Component = value.value
  return Component ? <Component {...props} /> : <Loading />
}
