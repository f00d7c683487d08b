import { classify } from '@modelwire/loopback/api'

/**
 * The name by which models refer to the mixin in a file: `time-stamp`, `timeStamp` and `TIMEStamp` all become `TimeStamp`.
 * @see LoopBack 3: loopback-boot, lib/compiler.js, normalization "classify"
 */
export function mixinName(fileName: string): string {
  const words = fileName.replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2').replace(/([a-z0-9])([A-Z])/g, '$1-$2')
  return classify(words.toLowerCase())
}
