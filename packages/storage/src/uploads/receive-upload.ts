import { NoFileUploaded } from '../errors.ts'
import { readForm } from './read-form.ts'
import type { CommittedFile } from '../stores/store.ts'
import { type ReceivedBytes, type TakenFile, takeFile, type Upload } from './take-file.ts'
import { defaultMaxFieldsSize, defaultMaxFiles, type UploadedFile, type UploadResult } from './upload-settings.ts'

const nothing = async (): Promise<void> => {}

/** What replaces the only file of a form needs no way back. */
const commitOne = async ({ pending }: TakenFile, isOnly: boolean): Promise<CommittedFile> =>
  isOnly ? { info: await pending.commit(), revert: nothing, settle: nothing } : pending.commitRevertibly()

/** Puts all files in their places. Where one fails, the others are not there either. */
async function commitAll(taken: readonly TakenFile[], upload: Upload): Promise<void> {
  const committed: CommittedFile[] = []
  const left = [...taken]
  try {
    for (const one of taken) {
      const stored = await commitOne(one, taken.length === 1)
      left.shift()
      committed.push(stored)
      Object.assign(one.file, upload.store.returnsProviderResponse && { providerResponse: stored.info })
    }
  } catch (error) {
    await discardAll(left)
    // The last one first: two files of a form may have the same name.
    for (const { revert } of committed.toReversed()) await attempt(revert)
    throw error
  }
  await Promise.all(committed.map(async ({ settle }) => attempt(settle)))
}

const discardAll = async (taken: readonly TakenFile[]): Promise<void> =>
  void (await Promise.all(taken.map(async ({ pending }) => attempt(pending.discard))))

/** Cleans up. The upload has its own outcome: what is left behind is reported to the process. */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.emitWarning(`files of an upload could not be removed: ${String(error)}`, 'StorageWarning')
  }
}

function byField(taken: readonly TakenFile[]): UploadResult['files'] {
  const files = new Map<string, UploadedFile[]>()
  for (const { file } of taken) files.set(file.field, [...(files.get(file.field) ?? []), file])
  return Object.fromEntries(files)
}

/** Reads the form; its files are in `taken` by their places in it, also when it fails. */
async function readFiles(upload: Upload, taken: Map<number, TakenFile>): Promise<UploadResult['fields']> {
  const { maxFieldsSize = defaultMaxFieldsSize, maxFiles = defaultMaxFiles } = upload.settings
  const received: ReceivedBytes = { total: 0 }
  let places = 0
  // LB3: a form without a file is refused as such, whether there is a container or not.
  let checked: Promise<void> | undefined
  return readForm(upload.request, {
    maxFieldsSize,
    maxFiles,
    takeFile: async (part, signal) => {
      const place = places++
      checked ??= upload.store.checkContainer(upload.container)
      await checked
      taken.set(place, await takeFile(part, upload, received, signal))
    }
  })
}

/**
 * Stores the files of a form, as they arrive: all of them, or none.
 * @throws {NoFileUploaded} there is no file in it
 * @throws {FormTooLarge} it has too many files, or they are larger than `maxFilesSize`
 * @throws what `takeFile` throws for one of its files
 * @see LoopBack 3: loopback-component-storage, lib/storage-handler.js, upload
 */
export async function receiveUpload(upload: Upload): Promise<UploadResult> {
  const places = new Map<number, TakenFile>()
  let fields: UploadResult['fields']
  try {
    fields = await readFiles(upload, places)
  } catch (error) {
    await discardAll([...places.values()])
    throw error
  }
  if (places.size === 0) throw new NoFileUploaded('No file content uploaded')
  const taken = Array.from(places)
    .toSorted(([one], [other]) => one - other)
    .map(([, file]) => file)
  await commitAll(taken, upload)
  return { files: byField(taken), fields }
}
