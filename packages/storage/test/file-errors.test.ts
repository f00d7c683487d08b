import t from 'tap'
import { fileError } from '#src/stores/file-store.ts'
import { s3Error } from '#src/stores/s3-store.ts'

const failure = (code: string): Error => Object.assign(new Error('/secret/path'), { code })

const files: readonly (readonly [code: string, told: string, status: number])[] = [
  ['ENOENT', 'ENOENT', 404],
  ['ENOTDIR', 'ENOENT', 404],
  ['EEXIST', 'EEXIST', 409],
  ['ENOTEMPTY', 'ENOTEMPTY', 409],
  ['ENAMETOOLONG', 'FILE_NAME_INVALID', 400],
  ['ENOSPC', 'STORAGE_FULL', 507],
  ['EDQUOT', 'STORAGE_FULL', 507],
  ['EACCES', 'STORAGE_FAILED', 500]
]

const stores: readonly (readonly [code: string, told: string, status: number])[] = [
  ['NoSuchKey', 'ENOENT', 404],
  ['BucketAlreadyOwnedByYou', 'EEXIST', 409],
  ['BucketNotEmpty', 'ENOTEMPTY', 409],
  ['InvalidBucketName', 'FILE_NAME_INVALID', 400],
  ['ECONNREFUSED', 'DATA_SOURCE_UNAVAILABLE', 503],
  ['SlowDown', 'DATA_SOURCE_UNAVAILABLE', 503],
  ['AccessDenied', 'STORAGE_FAILED', 500]
]

t.test('errors of the file system and of stores are told without paths of the machine', async (t) => {
  for (const [make, cases] of [
    [fileError, files],
    [s3Error, stores]
  ] as const)
    for (const [code, told, statusCode] of cases) {
      const error = make(failure(code), 'a.txt')
      t.match(error, { code: told, statusCode, cause: { code } }, code)
      t.notMatch(String(error), 'secret')
    }
})

t.test('other errors stay what they are', async (t) => {
  const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' })
  for (const make of [fileError, s3Error]) {
    t.equal(make(aborted, 'a'), aborted)
    t.equal(make('text', 'a'), 'text')
  }
})
