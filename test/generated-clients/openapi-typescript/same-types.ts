// The typed client and the types that openapi-typescript makes of /openapi.json must have the same
// paths, methods, statuses and fields.
import type { ApiOperations } from 'checada/client'
import type { paths } from './openapi.ts'

type Slashed<Path extends string> = Path extends `${infer A}:${infer B}/${infer C}`
  ? `${A}{${B}}/${Slashed<C>}`
  : Path extends `${infer A}:${infer B}`
    ? `${A}{${B}}`
    : Path

/** The client's operations, by the paths and methods of the document. */
type Ours = {
  [P in keyof ApiOperations as P extends `/api${infer Path}` ? Slashed<Path> : never]: {
    [M in keyof ApiOperations[P] as M extends `$${infer Method}`
      ? Method
      : never]: ApiOperations[P][M] extends { responses: infer R } ? R : never
  }
}

type Present<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }

type BodyOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : string

type Theirs = {
  [P in keyof paths]: {
    [M in Exclude<keyof Present<paths[P]>, 'parameters'>]: paths[P][M] extends {
      responses: infer R
    }
      ? { [S in keyof R as `${S & number}`]: BodyOf<R[S]> }
      : never
  }
}

/**
 * A type as the document publishes it: `true` and `false` become boolean, and an object that is
 * always empty becomes null.
 */
type Shape<T> = T extends boolean
  ? boolean
  : T extends Record<string, never>
    ? null
    : T extends (infer Item)[]
      ? Shape<Item>[]
      : T extends object
        ? { [K in keyof T]-?: Shape<T[K]> }
        : T

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type Differences = {
  [P in keyof Ours | keyof Theirs]: P extends keyof Ours & keyof Theirs
    ? Same<
        { [M in keyof Ours[P]]: { [S in keyof Ours[P][M]]: Shape<Ours[P][M][S]> } },
        { [M in keyof Theirs[P]]: { [S in keyof Theirs[P][M]]: Shape<Theirs[P][M][S]> } }
      > extends true
      ? never
      : P
    : P
}[keyof Ours | keyof Theirs]

/** Fails to compile if an operation differs. The error names the operation's path. */
export const differences: [Differences] extends [never] ? true : Differences = true
