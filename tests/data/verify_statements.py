"""Verifies the statements of a file, written from SealedProof's text and RFC 8032 alone: labels, canonical form, Ed25519,
and the chain of their digests. The seed's file (PKCS#8, PEM) stands in SEED_PEM; the public key is worked out from it."""

import base64
import hashlib
import json
import os
import sys

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
I = pow(2, (P - 1) // 4, P)


def point(y, sign):
    xx = (y * y - 1) * pow(D * y * y + 1, P - 2, P)
    x = pow(xx, (P + 3) // 8, P)
    if (x * x - xx) % P:
        x = x * I % P
    assert (x * x - xx) % P == 0
    return (P - x if x & 1 != sign else x, y)


def add(a, b):
    k = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + b[0] * a[1]) * pow(1 + k, P - 2, P)
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - k, P - 2, P)
    return (x % P, y % P)


def times(a, n):
    r = (0, 1)
    while n:
        if n & 1:
            r = add(r, a)
        a, n = add(a, a), n >> 1
    return r


BASE = point(4 * pow(5, P - 2, P) % P, 0)


def encode(a):
    return (a[1] | (a[0] & 1) << 255).to_bytes(32, "little")


def decode(text):
    n = int.from_bytes(text, "little")
    return point(n & ((1 << 255) - 1), n >> 255)


def number(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def public(seed):
    h = bytearray(hashlib.sha512(seed).digest()[:32])
    h[0] &= 248
    h[31] = h[31] & 63 | 64
    return encode(times(BASE, int.from_bytes(h, "little")))


def holds(key, message, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    k = number(r, key, message) % L
    return s < L and encode(times(BASE, s)) == encode(add(decode(r), times(decode(key), k)))


pem = os.environ["SEED_PEM"].split("-----")[2]
key = public(base64.b64decode(pem)[-32:])
previous = {}
count = 0
for line in open(sys.argv[1], encoding="utf-8"):
    statement = json.loads(line)
    (signature,) = statement.pop("signatures")
    # No numbers stand in a statement, and every name in it is ASCII: this is RFC 8785 of it.
    canonical = json.dumps(statement, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    message = b"SPv1|statement|attest|" + statement["suite_id"].encode() + b"|" + canonical
    run = statement["trace"]["trace_id"]
    before = statement.get("chain", {}).get("prev_evidence_digest")
    if before != previous.get(run):
        sys.exit(f"statement {count + 1}: it follows another one")
    if not holds(key, message, base64.b64decode(signature["sig"])):
        sys.exit(f"statement {count + 1}: its signature does not hold")
    previous[run] = "sha256:" + hashlib.sha256(message).hexdigest()
    count += 1
print(f"{count} hold")
