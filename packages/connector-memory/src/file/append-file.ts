import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A file that grows at its end and never holds half a piece, unless the process dies while it writes. */
export interface AppendFile {
  /** Bytes that are surely written. */
  readonly size: number
  /** Writes the whole text or rejects. What a failed write left is cut off at once, or else before the next one. */
  append: (text: string, sync: boolean) => Promise<void>
  /** Whether the file is still the one that `path` names. */
  isAt: (path: string) => boolean
  close: () => Promise<void>
}

/** Opens the file, or creates it, and cuts it to `size` bytes. */
export async function openForAppending(path: string, size: number): Promise<AppendFile> {
  const handle = await open(path, 'a')
  let [written, isClean] = [size, false]
  const identity = await handle.stat()
  return {
    get size() {
      return written
    },
    async append(text, sync) {
      if (!isClean) await handle.truncate(written)
      isClean = false
      const bytes = Buffer.from(text)
      try {
        await handle.appendFile(bytes)
        if (sync) await handle.datasync()
      } catch (error) {
        // What was refused must not come back after the process has died. The next write tries again to cut it off.
        await Promise.allSettled([handle.truncate(written)])
        throw error
      }
      written += bytes.length
      isClean = true
    },
    isAt(at) {
      // Takes microseconds, where a turn through the thread pool would halve the speed of writing.
      const named = statSync(at, { throwIfNoEntry: false })
      return named?.ino === identity.ino && named.dev === identity.dev
    },
    close: () => handle.close()
  }
}

/** Makes sure that the disk knows the names in the folder of `path`, where the system can do that. */
export async function syncFolder(path: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(dirname(path), 'r')
    await handle.sync()
  } catch (error) {
    // Windows opens no folders; its file system writes names down by itself. Elsewhere the names may be lost.
    if (process.platform !== 'win32') throw error
  } finally {
    await handle?.close()
  }
}
