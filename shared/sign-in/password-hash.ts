import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { normalForm } from "../kernel/normal-form.ts";

/** Parameters of new hashes; a stored hash has its own (requests 2.3). */
const current = { cost: 2 ** 15, blockSize: 8, parallelization: 1 };
const keyBytes = 32;
const saltBytes = 16;

/** Limits the threads for hashing, so that file work and other calls need not wait. */
const limit = Math.max(1, Math.floor(availableParallelism() / 2));
let running = 0;
const waiting: (() => void)[] = [];

/** Runs the work as soon as fewer than `limit` others run. */
async function withinLimit<T>(work: () => Promise<T>): Promise<T> {
  if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

function derive(password: string, salt: Buffer, { cost, blockSize, parallelization }: typeof current): Promise<Buffer> {
  const maxmem = 256 * cost * blockSize;
  return withinLimit(
    () =>
      new Promise((resolve, reject) => {
        scrypt(
          normalForm(password, "NFKC"),
          salt,
          keyBytes,
          { cost, blockSize, parallelization, maxmem },
          (error, key) => (error ? reject(error) : resolve(key)),
        );
      }),
  );
}

/** `scrypt$N$r$p$salt$key`, salt and key in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await derive(password, salt, current);
  const { cost, blockSize, parallelization } = current;
  return ["scrypt", cost, blockSize, parallelization, salt.toString("base64"), key.toString("base64")].join("$");
}

const nobody = `scrypt$${current.cost}$${current.blockSize}$${current.parallelization}$${Buffer.alloc(saltBytes).toString("base64")}$${Buffer.alloc(keyBytes).toString("base64")}`;

/** Whether the password is right; without a hash it takes the same time and returns false. */
export async function isRightPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, cost, blockSize, parallelization, salt = "", key = ""] = (hash ?? nobody).split("$");
  const parameters = { cost: Number(cost), blockSize: Number(blockSize), parallelization: Number(parallelization) };
  const derived = await derive(password, Buffer.from(salt, "base64"), parameters);
  return timingSafeEqual(derived, Buffer.from(key, "base64")) && hash !== undefined;
}
