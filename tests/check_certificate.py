#!/usr/bin/env python3
"""A second checker of certificates, written from docs/certificates.md alone.

    check_certificate.py FILE [--bound N/D] [--about three-first|two-first|any]
    check_certificate.py --batch < STREAM

It shares nothing with `crates/check` but the page both were written from: where the two differ, one of them or the page is
wrong. Exit status 0: accepted; 1: rejected; 2: not readable as a certificate. FILE may be `-`, plain or xz (zstd where the
module `zstandard` is installed).

A batch is many certificates in one stream: for each a line with its number of bytes, then these bytes. One line answers each:
`accepted BOUND ABOUT`, `rejected LINE REASON` or `unreadable REASON`.

Python 3.10 or newer, the standard library, whole numbers and fractions.
"""

import argparse
import json
import lzma
import re
import sys
from fractions import Fraction
from math import lcm

LINE_BYTES = 65_536
DIGITS = 200
DENOMINATOR_BITS = 4_096
TEXT_BYTES = 4 << 30
WINDOW_BYTES = 128 << 20

START = ((9, 13, 14), (1, 2))
EXITS = ((0, 3), (12, 15))
LEAVES = -2


class Unreadable(Exception):
    """The bytes are no certificate at all."""


class Rejected(Exception):
    """A certificate that does not prove what it claims."""

    def __init__(self, line, reason):
        super().__init__(reason)
        self.line = line


class Fault(Exception):
    """What is wrong with an entry; who catches it knows the line."""


def require(condition, reason):
    if not condition:
        raise Fault(reason)


# The game


def neighbours(square):
    row, file = divmod(square, 4)
    for r, f in ((row - 1, file), (row + 1, file), (row, file - 1), (row, file + 1)):
        if 0 <= r < 4 and 0 <= f < 4:
            yield 4 * r + f


NEIGHBOURS = [tuple(neighbours(square)) for square in range(16)]


def mirrored(square):
    return square - square % 4 + 3 - square % 4


def moves(own, other, exits):
    """Every move of the side that stands on `own`: (from, to) and what it does, ("quiet" | "takes" | "leaves", piece)."""
    found = {}
    for piece, square in enumerate(own):
        for to in NEIGHBOURS[square]:
            if to in other:
                found[square, to] = ("takes", other.index(to))
            elif to not in own:
                found[square, to] = ("quiet", piece)
        if square in exits:
            found[square, LEAVES] = ("leaves", piece)
    return found


def arranged(pieces, mirror):
    """Pieces (square, number) as they are listed, mirrored or not: the squares ascending, and whose number stands where."""
    listed = sorted((mirrored(square) if mirror else square, number) for square, number in pieces)
    return tuple(square for square, _ in listed), tuple(number for _, number in listed)


# The text

HEADER_FIELD = re.compile(rb'[ \t\r]*"([a-z]*)"[ \t\r]*:[ \t\r]*(-?(?:0|[1-9][0-9]*))[ \t\r]*')
ENTRY_TEXT = re.compile(rb"[-0-9\[\], \t\r]*")
LONG_NUMBER = re.compile(rb"[0-9]{%d}" % (DIGITS + 1))


def read_header(line):
    """The header's names with their numbers."""
    text = line.strip(b" \t\r")
    if not (text.startswith(b"{") and text.endswith(b"}")):
        raise Unreadable("the first line is no header")
    fields = {}
    at, end = 1, len(text) - 1
    while True:
        match = HEADER_FIELD.match(text, at, end)
        if not match or match[1] in fields or len(match[2].lstrip(b"-")) > DIGITS:
            raise Unreadable("the first line is no header")
        fields[match[1]] = int(match[2])
        at = match.end()
        if at == end:
            break
        if text[at : at + 1] != b",":
            raise Unreadable("the first line is no header")
        at += 1
    if set(fields) not in ({b"qden", b"bden", b"entries"}, {b"aden", b"entries"}):
        raise Unreadable("the names of the header are neither those of an upper bound nor those of a lower one")
    return {name.decode(): number for name, number in fields.items()}


def read_entry(line):
    """The lists and whole numbers of a line."""
    require(len(line) <= LINE_BYTES, f"a line of more than {LINE_BYTES} bytes")
    require(ENTRY_TEXT.fullmatch(line), "not a list of whole numbers")
    require(not LONG_NUMBER.search(line), f"a number with more than {DIGITS} digits")
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise Fault("not a list of whole numbers") from None


def is_numbers(value, lengths):
    return isinstance(value, list) and len(value) in lengths and all(isinstance(x, int) for x in value)


class Entry:
    """One claim, its fields read and within their ranges; beliefs as whole weights, one for each piece they are about."""

    def __init__(self, header, fields):
        upper = "qden" in header
        require(isinstance(fields, list) and len(fields) == 6, "an entry has six fields")
        turn, a, b, belief, vector, uses = fields
        require(turn in (0, 1) and isinstance(turn, int), "turn is 0 or 1")
        require(is_numbers(a, (2, 3)) and is_numbers(b, (2,)), "P1 has two or three pieces, P2 two")
        for squares in (a, b):
            require(all(0 <= s < 16 for s in squares), "squares are 0 to 15")
            require(all(x < y for x, y in zip(squares, squares[1:])), "squares are listed ascending")
        require(not set(a) & set(b), "two pieces on one square")
        self.turn, self.a, self.b = turn, tuple(a), tuple(b)
        if upper:
            self.belief = posterior(header, belief)
        else:
            require(is_numbers(belief, (len(a),)), "p has a weight for each piece of P1")
            require(all(x >= 0 for x in belief) and any(belief), "weights of p are not below 0 and not all 0")
            self.belief = tuple(belief)
        self.mass = sum(self.belief)
        scale = header["bden" if upper else "aden"]
        require(is_numbers(vector, (len(a) if upper else 2,)), "the vector has a component for each type")
        require(all(-scale <= x <= scale for x in vector), "components are within [-1, 1]")
        self.vector = tuple(vector)
        self.counts = any(x < 0 for x in vector) if upper else any(x > 0 for x in vector)
        require(isinstance(uses, list), "uses are a list")
        self.uses = [Use(header, len(a), use) for use in uses]


def posterior(header, q):
    require(isinstance(q, int) and 0 <= q <= header["qden"], "q is from 0 to qden")
    return (q, header["qden"] - q)


class Use:
    """Weight num/den on `child` after the move from-to; without a child, the belief that is left."""

    def __init__(self, header, pieces, fields):
        require(is_numbers(fields, (5, 6)), "a use has five fields, or six without a child")
        self.source, self.to, self.num, self.den, self.child = fields[:5]
        require(-1 <= self.source < 16, "from is -1 or a square")
        require(-2 <= self.to < 16, "to is -2 to 15")
        require(self.den > 0 and self.num > 0, "weights are above 0")
        require(-1 <= self.child < header["entries"], "there is no such child")
        require(len(fields) == (6 if self.child == -1 else 5), "a sixth field stands exactly where the child is -1")
        self.belief = None
        if self.child == -1:
            if "qden" in header:
                self.belief = posterior(header, fields[5])
            else:
                require(0 <= fields[5] < pieces, "there is no such red piece")
                self.belief = tuple(int(i == fields[5]) for i in range(pieces))


# The conditions


class Certificate:
    def __init__(self, text):
        lines = text.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        if not lines:
            raise Unreadable("an empty file")
        if len(lines[0]) > LINE_BYTES:
            raise Unreadable("the first line is too long")
        self.header = read_header(lines[0])
        self.upper = "qden" in self.header
        self.scale = self.header["bden" if self.upper else "aden"]
        for name, number in self.header.items():
            if number < 1:
                raise Rejected(1, f"{name} is at least 1")
        count = self.header["entries"]
        self.entries = []
        for number, line in enumerate(lines[1:], 2):
            try:
                require(number <= count + 1, f"more entries than the header says: {count}")
                self.entries.append(Entry(self.header, read_entry(line)))
            except Fault as fault:
                raise Rejected(number, str(fault)) from None
        if len(self.entries) != count:
            raise Rejected(len(lines), f"fewer entries than the header says: {count}")

    def check(self):
        """Every condition; afterwards, what entry 0 proves: the bound and on which start."""
        for number, entry in enumerate(self.entries, 2):
            try:
                self.check_entry(entry)
            except Fault as fault:
                raise Rejected(number, str(fault)) from None
        self.check_circles()
        first = self.entries[0]
        bound = Fraction(max(first.vector) if self.upper else min(first.vector), self.scale)
        about = ("three-first", "two-first")[first.turn] if (first.a, first.b) == START else "elsewhere"
        return bound, about

    def check_entry(self, entry):
        own_turn = 1 if self.upper else 0
        mover, other = (entry.a, entry.b) if entry.turn == 0 else (entry.b, entry.a)
        legal = moves(mover, other, EXITS[entry.turn])
        if entry.turn == own_turn:
            self.lottery(entry, entry.uses, lambda use, mirror: self.own_move(entry, legal, use, mirror), entry.belief, entry.vector)
            return
        by_move = {}
        for use in entry.uses:
            by_move.setdefault((use.source, use.to), []).append(use)
        for move in by_move:
            require(move in legal, f"no such move: {move}")
        for move, (kind, piece) in legal.items():
            self.answer(entry, move, kind, piece, by_move.get(move, []))

    def answer(self, entry, move, kind, piece, uses):
        """A move of the other side: what the entry claims has to hold after it."""
        if kind == "quiet":
            self.lottery(entry, uses, lambda use, mirror: self.follow(entry, use, None, mirror), entry.belief, entry.vector)
        elif kind == "leaves":
            require(not uses, f"a use on a move that ends the game: {move}")
            if self.upper:
                holds = all(x >= self.scale for i, x in enumerate(entry.vector) if i != piece)
            else:
                holds = all(x <= -self.scale for j, x in enumerate(entry.vector) if j != piece)
            require(holds, f"leaving is worth more: {move}")
        elif self.upper:
            require(not uses, f"a use on a move that ends the game: {move}")
            # 1 - 2q(m), over the mass of the belief
            gain = entry.mass - 2 * entry.belief[piece]
            require(all(gain * self.scale <= x * entry.mass for x in entry.vector), f"taking is worth more: {move}")
        elif len(entry.a) == 2:
            require(not uses, f"a use on a move that ends the game: {move}")
            gain = 2 * entry.belief[piece] - entry.mass
            require(all(x * entry.mass <= gain * self.scale for x in entry.vector), f"taking is worth more: {move}")
        else:
            red = entry.belief[piece]
            if red == entry.mass:
                require(not uses, f"a use on a move that ends the game: {move}")
                return
            # alpha <= p_k + (1 - p_k) v, so v >= (alpha mass - p_k scale) / (mass - p_k)
            left = tuple(0 if i == piece else x for i, x in enumerate(entry.belief))
            wanted = [Fraction(x * entry.mass - red * self.scale, entry.mass - red) for x in entry.vector]
            self.lottery(entry, uses, lambda use, mirror: self.follow(entry, use, piece, mirror), left, wanted)

    def follow(self, entry, use, taken, mirror):
        """The belief and the vector after a move of the other side."""
        if use.child == -1:
            trivial = self.scale if self.upper else -self.scale
            return use.belief, (trivial,) * len(entry.vector), False
        return self.child(entry, use, taken, mirror)

    def own_move(self, entry, legal, use, mirror):
        """The belief and the vector after a move of the entry's own side."""
        one = self.scale
        if use.source == -1:
            require(use.child == -1, "no move, but a child")
            return use.belief, (one if self.upper else -one,) * len(entry.vector), False
        require((use.source, use.to) in legal, f"no such move: {(use.source, use.to)}")
        kind, piece = legal[use.source, use.to]
        if kind == "leaves":
            require(use.child == -1, "a child after leaving")
            require(use.belief[piece] == 0, "the piece that leaves may be red")
            return use.belief, (-one if self.upper else one,) * len(entry.vector), False
        if kind == "takes" and not (self.upper and len(entry.a) == 3):
            require(use.child == -1, "a child after a move that ends the game")
            # Upper: 1 for the piece taken, -1 for the other. Lower: the reverse.
            hit = one if self.upper else -one
            return use.belief, tuple(hit if i == piece else -hit for i in range(2)), False
        require(use.child >= 0, "play goes on, but there is no child")
        return self.child(entry, use, piece if kind == "takes" else None, mirror)

    def child(self, entry, use, taken, mirror):
        """The child's belief and vector in the numbering of the entry. `taken`: a piece of P1 that is gone.
        Says also whether the child can be read both ways; `mirror` tells which way is meant then."""
        child = self.entries[use.child]
        require(child.turn != entry.turn, "the same side moves again")
        step = lambda squares: [(use.to if s == use.source else s, i) for i, s in enumerate(squares)]
        if entry.turn == 0:
            a, b = step(entry.a), list(zip(entry.b, range(2)))
        else:
            a, b = [(s, i) for i, s in enumerate(entry.a) if i != taken], step(entry.b)
        fitting = []
        for way in (False, True):
            (squares_a, of_a), (squares_b, of_b) = arranged(a, way), arranged(b, way)
            if (squares_a, squares_b) == (child.a, child.b):
                fitting.append((of_a, of_b))
        require(fitting, f"entry {use.child} is another position")
        of_a, of_b = fitting[1] if mirror and len(fitting) == 2 else fitting[0]
        of_belief, of_vector = (of_b, of_a) if self.upper else (of_a, of_b)
        # Lower: a piece that is gone is not red. Upper: type `taken` has won.
        belief, vector = [0] * len(entry.belief), [self.scale] * len(entry.vector)
        for number, x in zip(of_belief, child.belief):
            belief[number] = x
        for number, x in zip(of_vector, child.vector):
            vector[number] = x
        return tuple(belief), tuple(vector), len(fitting) == 2

    def lottery(self, entry, uses, outcome, belief, vector):
        """Weights add up to 1, beliefs average to `belief`, vectors to at most (at least) `vector`."""
        require(uses, "no use where one is needed")
        common = lcm(*(use.den for use in uses))
        require(common.bit_length() <= DENOMINATOR_BITS, "the weights' common denominator is too long")
        weights = [use.num * (common // use.den) for use in uses]
        require(sum(weights) == common, "weights do not add up to 1")
        fault = None
        for mirror in (False, True):
            outcomes = [outcome(use, mirror) for use in uses]
            try:
                self.average(outcomes, weights, common, belief, vector)
                return
            except Fault as found:
                fault = fault or found
            if not any(both for _, _, both in outcomes):
                break
        raise fault

    def average(self, outcomes, weights, common, belief, vector):
        masses = [sum(law) for law, _, _ in outcomes]
        mass = lcm(*masses)
        require((mass * common).bit_length() <= 2 * DENOMINATOR_BITS, "the beliefs' common denominator is too long")
        total = sum(belief)
        for i, x in enumerate(belief):
            average = sum(w * law[i] * (mass // m) for w, m, (law, _, _) in zip(weights, masses, outcomes))
            require(average * total == x * common * mass, "beliefs do not average to the entry's")
        for i, x in enumerate(vector):
            average = sum(w * worth[i] for w, (_, worth, _) in zip(weights, outcomes))
            holds = average <= x * common if self.upper else average >= x * common
            require(holds, f"component {i} is not reached")

    def check_circles(self):
        """No circle among the entries with a component below 0 (upper) or above 0 (lower)."""
        after = [[] for _ in self.entries]
        before = [0] * len(self.entries)
        for number, entry in enumerate(self.entries):
            if entry.counts:
                for use in entry.uses:
                    if use.child >= 0 and self.entries[use.child].counts:
                        after[number].append(use.child)
                        before[use.child] += 1
        free = [number for number, entry in enumerate(self.entries) if entry.counts and before[number] == 0]
        done = set(free)
        while free:
            for child in after[free.pop()]:
                before[child] -= 1
                if before[child] == 0:
                    free.append(child)
                    done.add(child)
        for number, entry in enumerate(self.entries):
            if entry.counts and number not in done:
                raise Rejected(number + 2, "entries go round in a circle")


# Files and words


def plain(data):
    """The text of a file, whichever way it is packed."""
    if data.startswith(b"\xfd7zXZ\x00"):
        unpacked = bytearray()
        while data:
            unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=2 * WINDOW_BYTES)
            try:
                unpacked += unpacker.decompress(data, TEXT_BYTES - len(unpacked))
            except lzma.LZMAError as error:
                raise Unreadable(f"xz: {error}") from None
            if not unpacker.eof:
                raise Unreadable("xz: the file breaks off, or its text is too long")
            data = unpacker.unused_data
        return bytes(unpacked)
    if data.startswith(b"\x28\xb5\x2f\xfd"):
        try:
            import zstandard
        except ImportError:
            raise Unreadable("zstd: needs the Python module zstandard; unpack the file first") from None
        try:
            unpacker = zstandard.ZstdDecompressor(max_window_size=WINDOW_BYTES).decompressobj()
            unpacked = unpacker.decompress(data)
            if not unpacker.eof:
                raise Unreadable("zstd: the file breaks off")
            return unpacked
        except zstandard.ZstdError as error:
            raise Unreadable(f"zstd: {error}") from None
    return data


def verdict(data):
    certificate = Certificate(plain(data))
    bound, about = certificate.check()
    return certificate.upper, bound, about


def batch(stream, answers):
    while size := stream.readline():
        data = stream.read(int(size))
        try:
            _, bound, about = verdict(data)
            answer = f"accepted {bound} {about}"
        except Rejected as rejected:
            answer = f"rejected {rejected.line} {rejected}"
        except Unreadable as unreadable:
            answer = f"unreadable {unreadable}"
        print(answer, file=answers)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", help="the certificate; - is standard input")
    parser.add_argument("--bound", type=Fraction, help="accept only if this bound follows")
    parser.add_argument("--about", choices=["three-first", "two-first", "any"], help="what it has to be about: the start, with this side first; without it the start, with either")
    parser.add_argument("--batch", action="store_true", help="many certificates from standard input")
    given = parser.parse_args()
    if given.batch == (given.file is not None):
        parser.error("give one file, or --batch")
    if given.batch:
        batch(sys.stdin.buffer, sys.stdout)
        return 0
    try:
        data = sys.stdin.buffer.read() if given.file == "-" else open(given.file, "rb").read()
        upper, bound, about = verdict(data)
    except Rejected as rejected:
        print(f"rejected: line {rejected.line}: {rejected}")
        return 1
    except (Unreadable, OSError) as error:
        print(f"unreadable: {error}", file=sys.stderr)
        return 2
    proves = f"the value is at {'most' if upper else 'least'} {bound} ({about})"
    if given.bound is not None and (bound > given.bound if upper else bound < given.bound):
        print(f"rejected: line 2: {given.bound} does not follow, only that {proves}")
        return 1
    if given.about != "any" and (about == "elsewhere" or given.about not in (None, about)):
        print(f"rejected: line 2: not about {given.about or 'the start'}: {proves}")
        return 1
    print(f"accepted: {proves}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
