import { ApiError, DataSourceUnavailable } from '@modelwire/core'
import {
  ContainerExists,
  ContainerNotEmpty,
  FileChanged,
  FileNameInvalid,
  FileNotFound,
  StorageFailed
} from './errors.ts'
import { codeOf } from './file-errors.ts'

const missing: ReadonlySet<unknown> = new Set(['NoSuchBucket', 'NoSuchKey', 'NotFound', 'NoSuchUpload'])
const existing: ReadonlySet<unknown> = new Set(['BucketAlreadyExists', 'BucketAlreadyOwnedByYou'])
const unreachable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'SlowDown',
  'ServiceUnavailable'
])
const refusedNames: ReadonlySet<unknown> = new Set(['InvalidBucketNameError', 'InvalidObjectNameError'])

const constructorOf = (error: Error): string => error.constructor.name

/** What an error of the store becomes in a call for `name`. */
export function s3Error(error: unknown, name: string): unknown {
  if (error instanceof ApiError || !(error instanceof Error) || error.name === 'AbortError') return error
  const code = codeOf(error)
  const options = { cause: error }
  if (missing.has(code)) return new FileNotFound(`File not found: ${name}`, options)
  if (existing.has(code)) return new ContainerExists(`The container "${name}" exists already`, options)
  if (code === 'PreconditionFailed') return new FileChanged('The file was replaced while it was read', options)
  if (code === 'BucketNotEmpty') return new ContainerNotEmpty(`The container "${name}" is not empty`, options)
  if (code === 'InvalidBucketName' || refusedNames.has(constructorOf(error)))
    return new FileNameInvalid('Invalid name: the store does not take it', options)
  if (unreachable.has(code)) return new DataSourceUnavailable('The file store cannot be reached', options)
  return new StorageFailed('The file store refused the request', options)
}

/** Carries out work on the store, with errors that name `name`. */
export async function onStore<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw s3Error(error, name)
  }
}
