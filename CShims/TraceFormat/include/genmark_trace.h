/* SPDX-License-Identifier: MIT
 *
 * genmark_trace.h: the trace format. The one definition; the recorder writes by it, `genmark mark` adds
 * to it from outside, the Swift reader imports it as it is. How words that change under a reader are
 * loaded and stored is in genmark_trace_access.h; how a mark is taken is in ../../Mark.
 *
 * A trace is a file that the recorded program has mapped shared, so every store is in the file at once
 * and a kill -9 loses nothing. All integers are little endian, addresses belong to another process and
 * are plain uint64_t, offsets count bytes from the start of the file.
 *
 *   offset  what
 *   0       struct gm_header                                            4096 bytes
 *   4096    extent, extent, extent … up to header.used                  each a multiple of 64 bytes
 *           └ struct gm_extent (64 bytes), then `capacity` elements of `element_size` bytes
 *   used    nothing yet (a running program keeps the file sparse up to its limit; it is cut at the end)
 *
 * Kinds of extent (unknown kinds are skipped and counted):
 *   NODES     struct gm_node     ids first … first+capacity-1; id 0 is the root and has no record
 *   CELLS     struct gm_cell     ids likewise; id 0 is no cell
 *   COUNTERS  64 dirty bytes, then struct gm_counter, for the cells first … first+capacity-1 of one shard
 *   MODULES   struct gm_module   ids from 1
 *   LABELS    struct gm_label    ids from 0
 *   STRINGS   bytes, pointed at by struct gm_string
 *   BANK      struct gm_bank, then gm_mark[mark_capacity], then gm_change[change_capacity]
 *
 * What is what:
 *   node     one frame of the call tree: a return address below its parent. A call site is the id of the
 *            node of its innermost frame.
 *   cell     one (call site, birth). Its counters are spread over shards, one shard for each thread that
 *            runs at the same time, so that no two threads write one word:
 *                born  = Σ over shards of born           freed = Σ over shards of freed
 *                live  = born − freed        (a thread may free what another allocated: only sums count)
 *            A reader of a running program sums all `freed` before all `born`, so that live is never
 *            below the truth. A cell whose live count is 0 may be given a later birth; its counters go on.
 *   mark     ends generation `generation − 1` and begins generation `generation`; the start of the program
 *            begins generation 0. Blocks get header.birth as their birth, which equals the number of the
 *            generation until marks are thinned and then the first generation of the group kept as one.
 *   change   live blocks and bytes of one (cell, birth) as they were at a mark, written only when they
 *            differ from the last written ones (0 before the first). To know a cell at mark m, take the
 *            newest change of that cell and birth in marks 1 … m.
 *   bank     the marks and their changes. header.bank is the offset of the valid one; thinning and growth
 *            build a new bank and switch the offset (release), so that any moment leaves a whole bank.
 *
 * A record is valid when its id is below the count in the header (nodes, cells, modules, labels: release
 * store of the count after the record) or below the count in its bank. Everything else is to be ignored.
 * An extent is valid when it lies below header.used and its magic is right.
 *
 * A reader's way: load header.used (acquire), copy the file up to it, walk the extents, take the counts
 * from the copied header. Nothing that is pointed at may be trusted before it is checked to lie inside.
 *
 * Versions: a reader refuses another `major`. A later `minor` may append fields to elements (step by the
 * element size in the extent), add extents, losses and flags.
 */
#ifndef GENMARK_TRACE_H
#define GENMARK_TRACE_H

#include <stdint.h>

enum {
    GM_FORMAT_MAJOR = 1,
    GM_FORMAT_MINOR = 0,
    GM_BYTE_ORDER = 0x01020304,
    GM_HEADER_SIZE = 4096,
    GM_EXTENT_MAGIC = 0x746e7845,     /* "Extn" */
    GM_EXTENT_HEADER_SIZE = 64,
    GM_NODES_PER_EXTENT = 1024,
    GM_CELLS_PER_EXTENT = 256,        /* for CELLS and COUNTERS alike */
    GM_CELLS_PER_DIRTY_BYTE = 4,
    GM_MODULES_PER_EXTENT = 32,
    GM_LABELS_PER_EXTENT = 64,
    GM_LABEL_LENGTH_LIMIT = 1024,     /* bytes kept of a label; its hash is over all of it */
    GM_LABEL_LIMIT = 4096,            /* distinct labels; later ones are counted as a loss and share one */
    GM_LOSS_KINDS = 16,
    GM_SHARD_LIMIT = 64
};

/* "GENMARK" and a zero byte, as the bytes stand in the file. */
static const uint64_t GM_MAGIC = 0x004b52414d4e4547ull;

/* Kinds of extent. */
enum {
    GM_EXTENT_NODES = 1,
    GM_EXTENT_CELLS = 2,
    GM_EXTENT_COUNTERS = 3,
    GM_EXTENT_MODULES = 4,
    GM_EXTENT_LABELS = 5,
    GM_EXTENT_STRINGS = 6,
    GM_EXTENT_BANK = 7
};

/* Addresses of nodes that stand for something else than a frame. They are children of the root. */
enum {
    GM_ADDRESS_CUT = 1,               /* outer frames were left out: the stack is deeper than the limit */
    GM_ADDRESS_BROKEN = 2,            /* the walk ended at a frame that could not be stepped out of */
    GM_ADDRESS_MERGED = 3,            /* memory limit reached: stacks of different callers stand as one */
    GM_ADDRESS_SPECIAL_END = 4096     /* real addresses are above this */
};

/* Kinds of loss: indexes of gm_header.losses. Each counts events that were not recorded as they were. */
enum {
    GM_LOSS_BLOCKS_MEMORY = 0,        /* blocks not recorded: memory or disk limit */
    GM_LOSS_BLOCKS_REENTRANT = 1,     /* blocks not recorded: allocated inside the recorder's own work */
    GM_LOSS_STACKS_MERGED = 2,        /* stacks merged because GENMARK_MAX_MEMORY was reached */
    GM_LOSS_STACKS_CUT = 3,           /* stacks deeper than the depth limit; the innermost frames are kept */
    GM_LOSS_STACKS_BROKEN = 4,        /* stacks that end early */
    GM_LOSS_HISTORY = 5,              /* marks whose changes could not be kept */
    GM_LOSS_MARKS = 6,                /* marks that could not be taken */
    GM_LOSS_LABELS = 7,               /* labels over GM_LABEL_LIMIT */
    GM_LOSS_MODULES = 8,              /* modules that could not be written down */
    GM_LOSS_VERIFY = 9                /* GENMARK_VERIFY: stacks that differed from libunwind's */
};

/* How the program ended: gm_header.end_kind. */
enum {
    GM_END_NONE = 0,                  /* running, or ended without a word (then the reader looks at the pid) */
    GM_END_EXIT = 1,                  /* end_value is the exit status */
    GM_END_SIGNAL = 2,                /* end_value is the signal; written by `genmark run`, who waited */
    GM_END_EXEC = 3                   /* the process became another program */
};

/* Bits of gm_header.flags. */
enum {
    GM_FLAG_STOPPED = 1,              /* recording stopped before the program did; losses say why */
    GM_FLAG_VERIFIED = 2,             /* GENMARK_VERIFY was on */
    GM_FLAG_SCAN_ALL = 4,             /* a mark was begun and not committed: the next one looks at every cell */
    GM_FLAG_FORKED = 8,               /* begins at a fork: blocks of the parent are foreign to it */
    GM_FLAG_LAUNCHER = 16             /* of a shell or another program that is there to start others, in a `genmark run` */
};

/* Bits of gm_mark.flags. */
enum {
    GM_MARK_CHANGES_LOST = 1,         /* the changes of this mark could not be kept (GM_LOSS_HISTORY) */
    GM_MARK_OUTSIDE = 2,              /* taken by another process */
    GM_MARK_SIGNAL = 4,               /* taken by GENMARK_MARK_SIGNAL */
    GM_MARK_DROPPED = 8               /* thinned away: the next mark has its changes too; to be skipped */
};

/* Bits of gm_label.flags and gm_module.flags. */
enum {
    GM_LABEL_CUT = 1,                 /* longer than GM_LABEL_LENGTH_LIMIT */
    GM_LABEL_OTHER = 2,               /* stands for all labels over GM_LABEL_LIMIT */
    GM_MODULE_MAIN = 1,               /* the program itself */
    GM_MODULE_VDSO = 2,
    GM_MODULE_RECORDER = 4
};

/* "None" for generations: a module that is still loaded. */
static const uint32_t GM_NO_GENERATION = 0xffffffffu;

struct gm_string {
    uint64_t offset;                  /* of the first byte, in the file; 0 for none */
    uint32_t length;                  /* bytes; no terminator, any bytes */
    uint32_t reserved;
};

struct gm_header {
    uint64_t magic;                   /* GM_MAGIC, stored last: a file without it was never begun */
    uint16_t major;
    uint16_t minor;
    uint32_t header_size;
    uint32_t byte_order;
    uint32_t pointer_bits;
    uint32_t page_size;
    uint32_t machine;                 /* ELF e_machine: 62 x86-64, 183 aarch64 */

    uint32_t pid;                     /* as the process saw it */
    uint32_t parent_pid;
    uint64_t process_start_ticks;     /* field 22 of /proc/PID/stat, against reused pids; 0 not known */
    uint64_t start_realtime_ns;       /* since 1970 */
    uint64_t start_monotonic_ns;      /* CLOCK_MONOTONIC; marks count from here */
    struct gm_string program;         /* path of the executable */
    struct gm_string directory;       /* working directory at the start */
    struct gm_string arguments;       /* argv, each ended by a zero byte */
    uint64_t limit;                   /* the file never grows past this many bytes */
    uint32_t flags;                   /* GM_FLAG_…, atomic or */
    uint32_t shard_count;             /* shards in use; grows by release */
    uint32_t run;                     /* pid of the `genmark run` that this is of; 0 of none */
    uint32_t reserved_run;
    uint64_t reserved_process[7];

    /* Words that change; each group on a cache line of its own. */
    uint64_t used;                    /* offset 192. Under `lock`, release after the extent's header */
    uint64_t populated;               /* bytes known to be backed; under `lock` */
    uint64_t bank;                    /* offset of the valid bank extent; under `lock`, release */
    uint64_t spare_bank;              /* offset of one that may be used again, or 0; under `lock` */
    uint64_t string_next;             /* next free byte in the newest STRINGS extent; under `lock` */
    uint64_t string_end;
    uint64_t first_cells;             /* offset of the first CELLS extent, or 0; under `lock` */
    uint64_t last_cells;

    uint32_t lock;                    /* offset 256. tid of the owner, 0 free; acquire and release */
    uint32_t generation;              /* marks taken so far = number of this generation; under `lock`, release */
    uint32_t birth;                   /* what new blocks get as their birth; under `lock`, release */
    uint32_t thinning;                /* a mark is kept when its order is divisible by 2^thinning */
    uint32_t first_marks;             /* labels that have marked at all: order of the first mark of each label */
    uint32_t unapplied_mark;          /* 1 + index in bank of a mark whose changes are not yet the cells' bases */
    uint64_t reserved_mark[5];

    uint64_t node_count;              /* offset 320. 1 + highest id; written by the recorder, release */
    uint64_t cell_count;              /* 1 + highest id */
    uint64_t module_count;            /* 1 + highest id */
    uint64_t label_count;             /* under `lock` */
    uint64_t foreign_frees;           /* frees of pointers that were never seen; atomic */
    uint64_t verified_stacks;         /* GENMARK_VERIFY; atomic */
    uint64_t first_labels;            /* offset of the first LABELS extent, or 0; under `lock` */
    uint64_t reserved_counts[1];

    uint32_t end_kind;                /* offset 384. GM_END_…; release after end_value and end_ns */
    int32_t end_value;
    uint64_t end_ns;                  /* since the start */
    uint64_t reserved_end[6];

    uint64_t losses[GM_LOSS_KINDS];   /* offset 448. Atomic */
};

struct gm_extent {
    uint32_t magic;                   /* GM_EXTENT_MAGIC */
    uint32_t kind;
    uint64_t size;                    /* with this header; a multiple of 64 */
    uint64_t first;                   /* id of the first element */
    uint32_t capacity;                /* elements */
    uint32_t element_size;
    uint32_t shard;                   /* COUNTERS only */
    uint32_t reserved0;
    /* For the marker, under header.lock; a reader needs none of them. Offsets, 0 for none. */
    uint64_t next;                    /* CELLS, LABELS: the next of the kind. COUNTERS: another shard's */
    uint64_t counters;                /* CELLS: the newest COUNTERS extent of these cells */
    uint64_t dirty;                   /* CELLS: bit g: group g of 4 cells was seen dirty by a mark not yet committed */
};

struct gm_node {
    uint64_t address;                 /* return address, or a GM_ADDRESS_… */
    uint32_t parent;                  /* id of the caller's node, always below its own; 0 the root */
    uint32_t module;                  /* id, or 0: not in any known module */
};

struct gm_cell {
    uint32_t site;                    /* node id */
    uint32_t birth;                   /* changes only while nothing of it lives; release */
    uint32_t previous;                /* the cell that the site had before, or 0: always below its own id */
    uint32_t grown;                   /* reallocs that made a block of it longer; atomic */
    /* The rest is the marker's, under header.lock: counts as they were at the last mark that saw the cell. */
    uint64_t base_born_blocks;
    uint64_t base_born_bytes;
    uint64_t base_live_blocks;
    uint64_t base_live_bytes;
    uint32_t base_birth;              /* the birth that base_live_… belongs to */
    uint32_t reserved0;
    uint64_t reserved1;
};

/* One shard's part of a cell. Blocks and bytes are stored together, in one 16-byte store, by the one
 * thread that owns the shard: a kill between two instructions can not part them. */
struct gm_counter {
    uint64_t born_blocks;
    uint64_t born_bytes;              /* requested sizes, and what realloc added */
    uint64_t freed_blocks;
    uint64_t freed_bytes;             /* and what realloc took away */
};

struct gm_module {
    struct gm_string path;
    uint64_t bias;                    /* what the loader added to the addresses of the file */
    uint64_t start;                   /* mapped range */
    uint64_t end;
    uint64_t device;                  /* of the file when it was loaded; 0 when not known */
    uint64_t inode;
    uint64_t modified_ns;
    uint64_t file_size;
    uint32_t loaded_generation;
    uint32_t unloaded_generation;     /* GM_NO_GENERATION while loaded; release */
    uint32_t flags;
    uint32_t build_id_size;           /* bytes, 0 to 32 */
    uint64_t build_id[4];             /* bytes in file order */
    uint64_t reserved[2];
};

struct gm_label {
    uint64_t hash;                    /* FNV-1a, 64 bit, of the whole label */
    struct gm_string text;
    uint32_t marks;                   /* taken with this label so far; under `lock` */
    uint32_t flags;
};

struct gm_bank {
    uint32_t mark_capacity;
    uint32_t change_capacity;
    uint64_t mark_count;              /* release, after the mark and its changes */
    uint64_t change_count;            /* of committed marks; under `lock` */
    uint64_t reserved[5];
};

struct gm_mark {
    uint32_t generation;              /* the one that begins here; 1 for the first mark */
    uint32_t label;
    uint32_t ordinal;                 /* the how-many-eth with this label, from 1 */
    uint32_t order;                   /* what thinning judges: see gm_header.thinning */
    uint64_t time_ns;                 /* since the start */
    uint64_t born_blocks;             /* since the start, all of them, as all counts here */
    uint64_t born_bytes;
    uint64_t live_blocks;
    uint64_t live_bytes;
    uint64_t rss_bytes;               /* 0 not known */
    uint64_t held_bytes;              /* by the allocator from the system; 0 not known */
    uint32_t threads;                 /* 0 not known */
    uint32_t flags;                   /* GM_MARK_… */
    uint64_t first_change;            /* index in the bank */
    uint32_t change_count;
    uint32_t merged;                  /* marks that this one stands for: itself and those thinned away before it */
    uint64_t reserved[4];
};

struct gm_change {
    uint32_t cell;                    /* ascending within a mark, and by birth within a cell */
    uint32_t birth;
    uint64_t live_blocks;
    uint64_t live_bytes;
};

#endif
