import { test } from 'vitest'
import { factsOf } from '../support/frameworks'
import { obstacle, proves } from '../support/proves'
import { answersOnce } from './support/answering'
import { runsBundled } from './support/bundling'

// Each process that loads ADK takes seconds of the processor.

proves('Google ADK 2', 'loop', 'what was answered before its process was killed is answered once', () =>
  answersOnce('adk'),
)

test.skipIf(obstacle(factsOf('Google ADK 2')))('tools for Google ADK run in a bundle beside it', () =>
  runsBundled('google-adk', '@google/adk'),
)
