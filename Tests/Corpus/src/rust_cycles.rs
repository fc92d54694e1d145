// SPDX-License-Identifier: MIT
//! A parent and its children that hold each other by Rc. With "fixed", children hold the parent by Weak.
use std::cell::RefCell;
use std::ffi::{c_char, c_void, CString};
use std::rc::{Rc, Weak};

extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

struct Parent {
    children: RefCell<Vec<Rc<Child>>>,
    name: [u8; 40],
}

struct Child {
    strong: RefCell<Option<Rc<Parent>>>,
    weak: RefCell<Weak<Parent>>,
    age: usize,
}

#[inline(never)]
fn parent_new(i: usize) -> Rc<Parent> {
    Rc::new(Parent { children: RefCell::new(Vec::with_capacity(2)), name: [i as u8; 40] })
}

#[inline(never)]
fn child_add(parent: &Rc<Parent>, age: usize, fixed: bool) {
    let child = Rc::new(Child { strong: RefCell::new(None), weak: RefCell::new(Weak::new()), age });
    if fixed {
        *child.weak.borrow_mut() = Rc::downgrade(parent);
    } else {
        *child.strong.borrow_mut() = Some(parent.clone());
    }
    parent.children.borrow_mut().push(child);
}

fn mark() {
    unsafe {
        let found = dlsym(std::ptr::null_mut(), b"genmark_mark\0".as_ptr().cast());
        if !found.is_null() {
            let mark: extern "C" fn(*const c_char) = std::mem::transmute(found);
            let label = CString::new("cycle").unwrap();
            mark(label.as_ptr());
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let cycles: usize = words.get(1).and_then(|w| w.parse().ok()).unwrap_or(40);
    let fixed = words.iter().any(|w| w == "fixed");
    let mut sum = 0;
    for i in 0..cycles {
        let parent = parent_new(i);
        child_add(&parent, i, fixed);
        child_add(&parent, i + 1, fixed);
        sum += parent.children.borrow().iter().map(|c| c.age).sum::<usize>() + parent.name[3] as usize;
        drop(parent);
        mark();
    }
    if sum == 1 {
        println!("one");
    }
    println!("done {cycles}");
}
