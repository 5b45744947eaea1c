// Runs the server's program as a command-line tool.

import { spawn } from 'node:child_process';

/** The output and the exit code of a run. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `program` with `input` on its stdin; rejects if it cannot be started. */
export function run(program: string, args: readonly string[], input = ''): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'pipe' });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({
        code: code ?? 2,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      });
    });
    // A program that ends early closes its stdin; its exit code says why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
