import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long for their size: the last of them would keep one core waiting for another. */
const slow =
  /\/test\/(?:console\/|e2e\/(?:bad-input|kill|slow-reader)|model\/whole|cli\/host|service\/(?:connections\/(?:imap|kills|mail-source|mailboxes|obstacles))|(?:bundles|documentation|examples|snippets|stranger)\.long\.test)/

/** Begins with what takes long, which is not known where the tests have never run. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
